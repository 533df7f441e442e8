// A scope is a unit of systemd of its own: what runs in it does not end with the service or the login of who started it.
import type { Log } from '../../base/log.ts';
import { findUserManager } from '../../base/process/user-manager.ts';

const options = [
  '--user',
  '--scope',
  // Also one that failed is forgotten when it is empty.
  '--collect',
  '--quiet',
  '--description=terminal and hooks of a Claude Code',
  // A host does not mind SIGTERM: a machine that is switched off would wait for it for 90 s.
  '--property=TimeoutStopSec=5s',
];

const brokenWords =
  'no scope of systemd can be had: until this bridge is started anew, each Claude Code is started without one, and ends with the service or the login that the bridge runs in. See what `systemd-run --user --scope true` says';

export interface Command {
  file: string;
  args: readonly string[];
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
}

export interface ScopesOptions {
  env: Readonly<Record<string, string | undefined>>;
  log: Log;
  /** Where the system's files are. */
  root?: string;
}

export class Scopes {
  readonly #options: ScopesOptions;
  #isBroken = false;

  constructor(options: ScopesOptions) {
    this.#options = options;
  }

  /**
   * Runs a program in a scope, in the process that is started, and without an environment. A manager that ends with the
   * last login would take the scope with it; outside of one, a program keeps its login going where logins are not killed.
   * @param name of the unit
   * @returns undefined when it would not last longer in a scope, or none could be had before
   */
  around(name: string, argv: readonly string[]): Command | undefined {
    if (this.#isBroken) return undefined;
    const { env, root } = this.#options;
    const manager = findUserManager(env, root);
    if (!manager || !(manager.lingers || manager.hasUs)) return undefined;
    return {
      file: 'systemd-run',
      args: [...options, `--unit=${name}`, '--', 'env', '-i', ...argv],
      env: { PATH: env.PATH ?? '', XDG_RUNTIME_DIR: manager.runtimeDir },
    };
  }

  /** It is not tried again: a manager that hangs would keep every first message waiting. */
  failed(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#options.log.warn(brokenWords, { error });
  }
}
