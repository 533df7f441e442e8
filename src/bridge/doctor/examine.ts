// Looks at what the bridge depends on. Every finding says what to do; nothing is changed.
import { type Check, warning } from '../../domain/views/check.ts';
import { checkOpenClaw } from '../openclaw-setup.ts';
import { channel } from './claude/channel.ts';
import { claude } from './claude/claude.ts';
import { contain } from './claude/contain.ts';
import { firstRun } from './claude/first-run.ts';
import { hooks } from './claude/hooks.ts';
import { modes } from './claude/modes.ts';
import { permissions } from './claude/permissions.ts';
import { prompt } from './claude/prompt.ts';
import { sandbox } from './claude/sandbox.ts';
import { terminal } from './claude/terminal.ts';
import type { DoctorOptions, Examination } from './examination.ts';
import { agpTokens } from './settings/agp-tokens.ts';
import { folders } from './settings/folders.ts';
import { gatewayToken } from './settings/gateway-token.ts';
import { policy } from './settings/policy.ts';
import { port } from './settings/port.ts';
import { audit } from './state/audit.ts';
import { callers } from './state/callers.ts';
import { disk } from './state/disk.ts';
import { hosts } from './state/hosts.ts';
import { leftovers } from './state/leftovers.ts';
import { logout } from './state/logout.ts';
import { operatorSecret } from './state/operator-secret.ts';
import { panic } from './state/panic.ts';
import { state } from './state/state.ts';
import { tokens } from './state/tokens.ts';

/** In the order in which they are shown; the slow one comes last. */
const examinations: readonly (readonly [name: string, look: Examination])[] = [
  ['claude', claude],
  ['first-run', firstRun],
  ['channel', channel],
  ['hooks', hooks],
  ['prompt', prompt],
  ['permissions', permissions],
  ['modes', modes],
  ['sandbox', sandbox],
  ['contain', contain],
  ['terminal', terminal],
  ['logout', logout],
  ['state', state],
  ['tokens', tokens],
  ['leftovers', leftovers],
  ['folders', folders],
  ['hosts', hosts],
  ['callers', callers],
  ['secret', operatorSecret],
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
