import type { Check } from '../../domain/views/check.ts';
import type { OpenClawSetupOptions } from '../openclaw-setup.ts';

export interface DoctorOptions extends OpenClawSetupOptions {
  /** Where the configuration was read from. */
  configFile?: string;
  /** Milliseconds for each look. */
  timeoutMs?: number;
}

/** One look. It ends what it started when the signal says so. */
export type Examination = (options: DoctorOptions, signal: AbortSignal) => Promise<Check[]>;
