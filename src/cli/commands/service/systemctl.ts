// The user manager, through its own command.
import { findUserManager, type UserManager } from '../../../base/process/user-manager.ts';
import { CliError } from '../../cli-error.ts';
import { askManager, type LogCommand, type ServiceManager, type ServiceState } from './manager.ts';
import { unitName } from './unit.ts';

export class Systemctl implements ServiceManager {
  readonly #manager: UserManager;
  readonly untilLogout = {
    sentence:
      'Linger is off: the service runs while you are logged in, and ends with your last logout. `loginctl enable-linger` lets it run from the start of the machine on.',
    short: 'off: your last logout ends it; `loginctl enable-linger` changes that',
  };
  readonly #env: Record<string, string>;

  /** @throws CliError `no_user_manager` */
  constructor(env: NodeJS.ProcessEnv) {
    const manager = findUserManager(env);
    if (!manager) throw noManager();
    this.#manager = manager;
    this.#env = { XDG_RUNTIME_DIR: manager.runtimeDir, LC_ALL: 'C', TZ: 'UTC' };
  }

  get lingers(): boolean {
    return this.#manager.lingers;
  }

  async enable(): Promise<void> {
    await this.#run('daemon-reload');
    await this.#run('enable', unitName);
  }

  async restart(): Promise<void> {
    await this.#run('reset-failed', unitName).catch(() => {});
    await this.#run('restart', unitName);
  }

  async stop(): Promise<void> {
    await this.#run('disable', '--now', unitName);
  }

  async forget(): Promise<void> {
    await this.#run('daemon-reload');
    await this.#run('reset-failed', unitName).catch(() => {});
  }

  logs({ follow, lines }: { follow: boolean; lines: number }): LogCommand {
    return {
      command: 'journalctl',
      args: [
        '--user',
        `--unit=${unitName}`,
        `--lines=${lines}`,
        '--no-pager',
        ...(follow ? ['--follow'] : []),
      ],
      env: { XDG_RUNTIME_DIR: this.#manager.runtimeDir },
      suggestion: 'The journal of systemd may not be there; the bridge’s own log is.',
    };
  }

  #run(...args: string[]): Promise<string> {
    return askManager(['systemctl', '--user', ...args], this.#env, `systemctl --user status ${unitName}`);
  }

  async state(): Promise<ServiceState> {
    const wanted = [
      'UnitFileState',
      'ActiveState',
      'MainPID',
      'ExecMainStartTimestamp',
      'NRestarts',
      'Result',
      'ExecMainStatus',
    ];
    const shown = await this.#run('show', unitName, `--property=${wanted.join(',')}`);
    return stateIn(shown);
  }
}

/** Of what `systemctl show` prints, with its times in UTC. */
export function stateIn(shown: string): ServiceState {
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
