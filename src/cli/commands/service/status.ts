import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { doubtsOf } from './doubts.ts';
import { Systemctl, type UnitState } from './systemctl.ts';
import { installedUnit, unitFile } from './unit-file.ts';

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

export async function serviceStatus({ json }: { json: boolean }): Promise<number> {
  const there = installedUnit();
  const systemctl = new Systemctl(process.env);
  const state = await systemctl.state();
  const status: ServiceStatus = {
    installed: there !== undefined,
    unit: unitFile(),
    version: there?.settings?.version ?? null,
    state_dir: there?.settings?.stateDir ?? null,
    enabled: state.enabled,
    active: state.active,
    pid: state.pid,
    since: state.since,
    restarts: state.restarts,
    linger: systemctl.manager.lingers,
    doubts: there ? doubtsOf(there) : [],
  };
  if (json) printJson(status);
  else show(status, state);
  if (!status.installed) return exitCodes.not_found;
  if (status.pid === null) return exitCodes.not_running;
  return status.doubts.length > 0 ? exitCodes.degraded : exitCodes.ok;
}

function show(status: ServiceStatus, state: UnitState): void {
  if (!status.installed) {
    say('The service is not installed. `synthesis service install` does that.');
    return;
  }
  print(`Unit      ${status.unit}${status.version === null ? '' : ` (release ${status.version})`}`);
  print(`State     ${status.state_dir ?? 'unknown'}`);
  print(`Enabled   ${status.enabled ? 'yes, it starts with the user manager' : 'no'}`);
  print(`Running   ${runs(state)}`);
  print(
    `Linger    ${status.linger ? 'on' : 'off: your last logout ends it; `loginctl enable-linger` changes that'}`,
  );
  for (const doubt of status.doubts) say(doubt);
  if (status.doubts.length > 0) say('`synthesis service install` brings the unit up to date.');
}

function runs({ pid, since, restarts, active, result, status }: UnitState): string {
  if (pid !== null) {
    const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
    return `pid ${pid}, since ${since ?? 'unknown'}${again}`;
  }
  if (active === 'activating') return 'no, it is being started again';
  if (result === 'success') return 'no';
  const limit = result === 'start-limit-hit' ? ', and is not tried any more' : '';
  return `no, it ended with exit code ${status}${limit}; \`synthesis service logs\` says why`;
}
