// Why an extra was not installed, in words.
import type { ExtraName } from './extra.ts';

export type ExtraFault =
  | 'npm_missing'
  | 'npm_failed'
  | 'cannot_load'
  | 'disk_full'
  | 'not_writable'
  | 'cancelled';

/** Nothing was installed, and nothing changed. `message` says what happened, `suggestion` what to do next. */
export class ExtraError extends Error {
  readonly fault: ExtraFault;
  readonly suggestion: string;

  constructor(fault: ExtraFault, message: string, suggestion: string, options?: ErrorOptions) {
    super(`${message} Nothing was changed.`, options);
    this.name = 'ExtraError';
    this.fault = fault;
    this.suggestion = suggestion;
  }
}

/** Whoever met it: npm says so in its own words. */
export const diskFull = (name: ExtraName, cause?: unknown): ExtraError =>
  new ExtraError(
    'disk_full',
    `"${name}" was not installed: the disk is full.`,
    'Free some disk space, half a gigabyte is plenty, then try again.',
    { cause },
  );
