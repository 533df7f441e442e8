// Looks at what the bridge depends on. Every finding says what to do; nothing is changed.
import { type Check, warning } from '../../domain/views/check.ts';
import { checkOpenClaw } from '../openclaw-setup.ts';
import { agpTokens } from './agp-tokens.ts';
import { audit } from './audit.ts';
import { channel } from './channel.ts';
import { claude } from './claude.ts';
import { disk } from './disk.ts';
import type { DoctorOptions, Examination } from './examination.ts';
import { firstRun } from './first-run.ts';
import { folders } from './folders.ts';
import { gatewayToken } from './gateway-token.ts';
import { hooks } from './hooks.ts';
import { hosts } from './hosts.ts';
import { leftovers } from './leftovers.ts';
import { logout } from './logout.ts';
import { modes } from './modes.ts';
import { panic } from './panic.ts';
import { permissions } from './permissions.ts';
import { policy } from './policy.ts';
import { port } from './port.ts';
import { state } from './state.ts';
import { terminal } from './terminal.ts';

/** In the order in which they are shown; the slow one comes last. */
const examinations: readonly (readonly [name: string, look: Examination])[] = [
  ['claude', claude],
  ['first-run', firstRun],
  ['channel', channel],
  ['hooks', hooks],
  ['permissions', permissions],
  ['modes', modes],
  ['terminal', terminal],
  ['logout', logout],
  ['state', state],
  ['leftovers', leftovers],
  ['folders', folders],
  ['hosts', hosts],
  ['panic', panic],
  ['disk', disk],
  ['port', port],
  ['policy', policy],
  ['audit', audit],
  ['agp', agpTokens],
  ['openclaw-gateway', gatewayToken],
  ['openclaw', checkOpenClaw],
];

/** OpenClaw's command takes 2 s a call on an idle machine (measured on 2026.9.6), and is called twice in a row. */
const examinationMs = 30_000;

/** Checks that need no running bridge, side by side. None rejects: what cannot be told in time is a warning. */
export function examine(options: DoctorOptions): Promise<Check[]>[] {
  return examinations.map(([name, look]) => inTime(name, look, options));
}

async function inTime(name: string, look: Examination, options: DoctorOptions): Promise<Check[]> {
  const { timeoutMs = examinationMs } = options;
  const late = new AbortController();
  const { promise: lapse, resolve } = Promise.withResolvers<Check[]>();
  const timer = setTimeout(() => {
    resolve([warning(name, `It could not be told within ${timeoutMs / 1000} s.`, again)]);
    late.abort();
  }, timeoutMs);
  try {
    return await Promise.race([look(options, late.signal), lapse]);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [warning(name, `It could not be checked: ${detail}`, again)];
  } finally {
    clearTimeout(timer);
  }
}

const again = 'Run `synthesis doctor` again when the machine is less busy.';
