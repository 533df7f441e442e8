// The user manager, through its own command.
import { execa } from 'execa';
import { findUserManager, type UserManager } from '../../../base/user-manager.ts';
import { CliError } from '../../cli-error.ts';
import { unitName } from './unit.ts';

/** It waits for a stop of 30 s and a start. Milliseconds. */
const patience = 60_000;

export interface UnitState {
  enabled: boolean;
  /** systemd's word: `active`, `activating`, `inactive`, `failed`, … */
  active: string;
  /** Null when none runs. */
  pid: number | null;
  /** ISO 8601; null when none runs. */
  since: string | null;
  restarts: number;
  /** systemd's word for how the last run ended, such as `exit-code`; `success` when it went well. */
  result: string;
  /** Exit code of the last run. */
  status: number;
}

export class Systemctl {
  readonly manager: UserManager;
  readonly #env: Record<string, string>;

  /** @throws CliError `no_user_manager` */
  constructor(env: NodeJS.ProcessEnv) {
    const manager = findUserManager(env);
    if (!manager) throw noManager();
    this.manager = manager;
    this.#env = { XDG_RUNTIME_DIR: manager.runtimeDir, LC_ALL: 'C', TZ: 'UTC' };
  }

  /** @returns what it prints @throws CliError `service_manager` with its own words */
  async run(...args: string[]): Promise<string> {
    const { failed, timedOut, stdout, stderr, shortMessage } = await execa('systemctl', ['--user', ...args], {
      env: this.#env,
      stdin: 'ignore',
      timeout: patience,
      reject: false,
    });
    if (!failed) return stdout;
    const words = timedOut ? `It did not end within ${patience / 1000} s.` : stderr.trim() || shortMessage;
    throw new CliError(
      'failure',
      'service_manager',
      `\`systemctl --user ${args.join(' ')}\` failed: ${words}`,
      `Look at \`systemctl --user status ${unitName}\`. Without the service, \`synthesis up --detach\` does.`,
    );
  }

  async state(): Promise<UnitState> {
    const wanted = [
      'UnitFileState',
      'ActiveState',
      'MainPID',
      'ExecMainStartTimestamp',
      'NRestarts',
      'Result',
      'ExecMainStatus',
    ];
    const shown = await this.run('show', unitName, `--property=${wanted.join(',')}`);
    return stateIn(shown);
  }
}

/** Of what `systemctl show` prints, with its times in UTC. */
export function stateIn(shown: string): UnitState {
  const told = new Map(shown.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string]));
  const pid = Number(told.get('MainPID') ?? 0);
  const since = Date.parse(told.get('ExecMainStartTimestamp') ?? '');
  return {
    enabled: told.get('UnitFileState') === 'enabled',
    active: told.get('ActiveState') ?? 'inactive',
    pid: pid > 0 ? pid : null,
    since: pid > 0 && Number.isFinite(since) ? new Date(since).toISOString() : null,
    restarts: Number(told.get('NRestarts') ?? 0),
    result: told.get('Result') ?? 'success',
    status: Number(told.get('ExecMainStatus') ?? 0),
  };
}

function noManager(): CliError {
  const why =
    process.platform === 'linux'
      ? 'No user manager of systemd runs here, as in a container or in WSL without systemd'
      : 'The service needs the user manager of systemd, which this system does not have';
  return new CliError(
    'failure',
    'no_user_manager',
    `${why}; nothing was changed.`,
    '`synthesis up --detach` runs the bridge in the background; start it at login by the means of this system.',
  );
}
