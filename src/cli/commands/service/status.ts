import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { doubtsOf } from './doubts.ts';
import { kindFor, type ServiceKind } from './kind.ts';
import type { ServiceManager, ServiceState } from './manager.ts';
import { installedUnit } from './unit-file.ts';

/** The stable shape of `service status --json`. */
interface ServiceStatus {
  installed: boolean;
  unit: string;
  /** Release that made the unit; null when it is not ours. */
  version: string | null;
  state_dir: string | null;
  enabled: boolean;
  active: string;
  pid: number | null;
  since: string | null;
  restarts: number;
  linger: boolean;
  /** What no longer fits, in sentences. */
  doubts: string[];
}

export async function serviceStatus({ json }: { json: boolean }, platform: NodeJS.Platform): Promise<number> {
  const kind = kindFor(platform);
  const there = installedUnit(kind);
  const manager = await kind.manager(process.env);
  const state = await manager.state();
  const status: ServiceStatus = {
    installed: there !== undefined,
    unit: kind.file(),
    version: there?.settings?.version ?? null,
    state_dir: there?.settings?.stateDir ?? null,
    enabled: state.enabled,
    active: state.active,
    pid: state.pid,
    since: state.since,
    restarts: state.restarts,
    linger: manager.lingers,
    doubts: there ? doubtsOf(kind, there) : [],
  };
  if (json) printJson(status);
  else show(status, state, kind, manager);
  if (!status.installed) return exitCodes.not_found;
  if (status.pid === null) return exitCodes.not_running;
  return status.doubts.length > 0 ? exitCodes.degraded : exitCodes.ok;
}

function show(
  status: ServiceStatus,
  state: ServiceState,
  { noun }: ServiceKind,
  { untilLogout }: ServiceManager,
): void {
  if (!status.installed) {
    say('The service is not installed. `synthesis service install` does that.');
    return;
  }
  print(
    `${noun === 'unit' ? 'Unit ' : 'Agent'}     ${status.unit}${status.version === null ? '' : ` (release ${status.version})`}`,
  );
  print(`State     ${status.state_dir ?? 'unknown'}`);
  print(
    `Enabled   ${status.enabled ? (noun === 'unit' ? 'yes, it starts with the user manager' : 'yes, it starts with your login') : 'no'}`,
  );
  print(`Running   ${runs(state)}`);
  print(`Linger    ${status.linger ? 'on' : untilLogout.short}`);
  for (const doubt of status.doubts) say(doubt);
  if (status.doubts.length > 0) say(`\`synthesis service install\` brings the ${noun} up to date.`);
}

function runs({ pid, since, restarts, active, result, status }: ServiceState): string {
  if (pid !== null) {
    const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
    return `pid ${pid}${since === null ? '' : `, since ${since}`}${again}`;
  }
  if (active === 'activating') return 'no, it is being started again';
  if (result === 'success') return 'no';
  const limit = result === 'start-limit-hit' ? ', and is not tried any more' : '';
  return `no, it ended with exit code ${status}${limit}; \`synthesis service logs\` says why`;
}
