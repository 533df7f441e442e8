// Is there a Claude Code, and is it new enough? Asked once per executable, again when its file changed.
import { existsSync, statSync } from 'node:fs';
import { isOlder } from '../../../base/text/version-order.ts';
import type { FailureCode } from '../../../protocol/events/failures.ts';
import { childEnv } from '../launch/child-env.ts';
import { findExecutable } from '../launch/find-executable.ts';

/** Not with the bridge: it takes a twentieth of the time until that is ready. */
export const loadExeca = () => import('execa');

/** Oldest version whose hooks and flags are known to fit. */
export const oldestClaude = '2.1.0';
/** The version that the tests against real peers run; moves with their pin (docs/decisions/0020). */
export const provenClaude = '2.1.332';

export type Preflight =
  | { ok: true; command: [string, ...string[]]; version: string | undefined }
  | { ok: false; failure: FailureCode; detail: string };

export interface PreflightOptions {
  /** The configured command line prefix, e.g. `['claude']`. */
  claudeCommand: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** ms for `--version`. */
  timeoutMs?: number;
  /** Ends a call that is under way. */
  signal?: AbortSignal;
}

export class PreflightCheck {
  readonly #options: PreflightOptions;
  #known: { stamp: string; result: Preflight } | undefined;

  constructor(options: PreflightOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async run(): Promise<Preflight> {
    const { claudeCommand, env } = this.#options;
    const [name = 'claude', ...rest] = claudeCommand;
    const file = findExecutable(name, env.PATH);
    if (!file) return notFound(name);
    const stamp = stampOf(file);
    if (this.#known?.stamp === stamp) return this.#known.result;
    const result = await this.#ask([file, ...rest]);
    // A failed look may be a passing condition; only a clear answer is kept.
    if (result.ok && result.version !== undefined) this.#known = { stamp, result };
    return result;
  }

  /** `claude auth status`: undefined when it could not be told. A token in the environment works without a sign-in. */
  async signedIn(): Promise<boolean | undefined> {
    const preflight = await this.run();
    if (!preflight.ok) return undefined;
    const { exitCode } = await this.#execute([...preflight.command, 'auth', 'status']);
    return exitCode === 0 ? true : exitCode === 1 ? false : undefined;
  }

  async #ask(command: [string, ...string[]]): Promise<Preflight> {
    const { stdout, code, exitCode } = await this.#execute([...command, '--version']);
    if (code === 'ENOENT' || code === 'EACCES') return notFound(command[0]);
    const version = exitCode === 0 ? /\b(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1] : undefined;
    if (version !== undefined && isOlder(version, oldestClaude)) {
      const detail = `Claude Code ${version} is older than ${oldestClaude}. Update it with "claude update".`;
      return { ok: false, failure: 'claude_too_old', detail };
    }
    // An unreadable version does not stop anybody: the start itself will tell.
    return { ok: true, command, version };
  }

  async #execute([file, ...args]: [string, ...string[]]) {
    const address = { bridgeUrl: '', token: '', key: '', claude: '' };
    const { execa } = await loadExeca();
    const result = await execa(file, args, {
      cwd: standing(),
      env: childEnv(this.#options.env, address),
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      timeout: this.#options.timeoutMs ?? 20_000,
      forceKillAfterDelay: 1000,
      ...(this.#options.signal && { cancelSignal: this.#options.signal }),
    });
    return { stdout: result.stdout ?? '', code: result.code, exitCode: result.exitCode };
  }
}

/** Where the bridge was started, unless that folder is gone: no program could be started there. */
function standing(): string {
  try {
    const here = process.cwd();
    // Node remembers it.
    return existsSync(here) ? here : '/';
  } catch {
    return '/';
  }
}

const notFound = (name: string): Preflight => ({
  ok: false,
  failure: 'claude_not_found',
  detail: `"${name}" was not found.`,
});

function stampOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${file}:${mtimeMs}:${size}:${ino}`;
}
