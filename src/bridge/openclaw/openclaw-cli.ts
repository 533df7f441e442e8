// The `openclaw` command, as its users run it. Its configuration is only ever changed through it.
import { execa } from 'execa';
import { z } from 'zod';
import { isOlder } from '../../base/text/version-order.ts';
import { OpenClawError } from './openclaw-error.ts';

/** First release whose `Runtime:` line names the session. */
export const oldestOpenClaw = '2026.7.1';
/** The release that the tests against real peers run; moves with their pin (docs/decisions/0020). */
export const provenOpenClaw = '2026.9.6';

/** Milliseconds for one command: measured 2 s on 2026.9.6, with an idle machine. */
const commandMs = 60_000;

export interface OpenClawCliOptions {
  /** The configured command line prefix, e.g. `['openclaw']`. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Ends a command that is under way. */
  signal?: AbortSignal;
}

export interface Validity {
  valid: boolean;
  problems: string[];
}

export interface PluginState {
  version: string | undefined;
  enabled: boolean;
}

/** What the rest needs of it. */
export type OpenClaw = Pick<
  OpenClawCli,
  | 'version'
  | 'configFile'
  | 'get'
  | 'validate'
  | 'tryPatch'
  | 'patch'
  | 'plugin'
  | 'installPlugin'
  | 'uninstallPlugin'
>;

interface Ran {
  ok: boolean;
  stdout: string;
  /** What it said when it failed, in one line. */
  words: string;
}

const Failure = z.object({ error: z.object({ message: z.string() }) });
const Problem = z.object({ path: z.string().optional(), message: z.string() });
const Validation = z.object({
  valid: z.boolean(),
  issues: z.array(Problem).default([]),
  error: z.object({ message: z.string() }).optional(),
});
const DryRun = z.object({ ok: z.boolean(), errors: z.array(z.object({ message: z.string() })).default([]) });
const Plugin = z.object({
  plugin: z.object({ version: z.string().optional(), enabled: z.boolean().optional() }),
});

export class OpenClawCli {
  readonly #options: OpenClawCliOptions;

  constructor(options: OpenClawCliOptions) {
    this.#options = options;
  }

  /**
   * Its version, e.g. `2026.9.6`.
   * @throws OpenClawError `openclaw_missing`, `openclaw_too_old`, `openclaw_refused`, `openclaw_timeout`
   */
  async version(): Promise<string> {
    const { ok, stdout, words } = await this.#run(['--version']);
    const version = /\b(\d{4}\.\d+\.\d+)\b/.exec(stdout)?.[1];
    if (!ok || version === undefined) {
      throw new OpenClawError(
        'openclaw_refused',
        `${this.#name} did not tell its version: ${words || 'no output'}.`,
        'Run it by hand; name another one with --openclaw.',
      );
    }
    if (isOlder(version, oldestOpenClaw)) {
      throw new OpenClawError(
        'openclaw_too_old',
        `OpenClaw ${version} is older than ${oldestOpenClaw}.`,
        'Update it with `openclaw update`; nothing was changed.',
      );
    }
    return version;
  }

  /** Path of the configuration file; it need not exist. */
  async configFile(): Promise<string> {
    const { stdout } = await this.#must(['config', 'file', '--json']);
    return z.object({ path: z.string() }).parse(JSON.parse(stdout)).path;
  }

  /** A value as OpenClaw shows it, secrets redacted and defaults filled in. Undefined when it is not set. */
  async get(path: string): Promise<unknown> {
    const { ok, stdout } = await this.#run(['config', 'get', path, '--json']);
    if (!ok) return undefined;
    return jsonOf(stdout);
  }

  /** Whether the configuration, as it is now, is one OpenClaw accepts. A missing file is. */
  async validate(): Promise<Validity> {
    const { stdout } = await this.#run(['config', 'validate', '--json']);
    const read = Validation.safeParse(jsonOf(stdout));
    if (!read.success) return { valid: false, problems: ['`openclaw config validate` did not answer'] };
    const { valid, issues, error } = read.data;
    if (error?.message === 'file not found') return { valid: true, problems: [] };
    const problems = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    return { valid, problems: problems.length > 0 || !error ? problems : [error.message] };
  }

  /** @throws OpenClawError `openclaw_refused` with OpenClaw's own words */
  async tryPatch(patch: object): Promise<void> {
    const { stdout, words } = await this.#run(['config', 'patch', '--stdin', '--dry-run', '--json'], {
      input: JSON.stringify(patch),
    });
    const read = DryRun.safeParse(jsonOf(stdout));
    if (!read.success) throw refused('the change', words);
    if (!read.data.ok) throw refused('the change', read.data.errors.map(({ message }) => message).join('; '));
  }

  /**
   * Merges the patch into the configuration; null removes. It travels on standard input, not in the arguments, where
   * other users could read it.
   * @param replace dotted paths of objects and lists that are to become exactly what the patch says
   * @throws OpenClawError `openclaw_readonly`, `openclaw_refused`
   */
  async patch(patch: object, replace: readonly string[] = []): Promise<void> {
    const paths = replace.flatMap((path) => ['--replace-path', path]);
    await this.#must(['config', 'patch', '--stdin', ...paths], { input: JSON.stringify(patch) });
  }

  async plugin(id: string): Promise<PluginState | undefined> {
    const { ok, stdout } = await this.#run(['plugins', 'inspect', id, '--json']);
    const read = ok ? Plugin.safeParse(jsonOf(stdout)) : undefined;
    if (!read?.success) return undefined;
    const { version, enabled } = read.data.plugin;
    return { version, enabled: enabled ?? false };
  }

  /** The user asked for this plugin, so its capabilities are accepted; older releases do not know that flag. */
  async installPlugin(directory: string): Promise<void> {
    const args = ['plugins', 'install', directory, '--force'];
    const { ok, words } = await this.#run([...args, '--accept-capabilities']);
    if (!ok && /unknown option/i.test(words)) await this.#must(args);
    else if (!ok) throw failure(args, words);
  }

  async uninstallPlugin(id: string): Promise<void> {
    await this.#must(['plugins', 'uninstall', id, '--force']);
  }

  get #name(): string {
    return `"${this.#options.command.join(' ')}"`;
  }

  async #must(args: string[], options: { input?: string } = {}): Promise<Ran> {
    const ran = await this.#run(args, options);
    if (ran.ok) return ran;
    throw failure(args, ran.words);
  }

  async #run(args: string[], { input = '' }: { input?: string } = {}): Promise<Ran> {
    const [file = 'openclaw', ...before] = this.#options.command;
    const result = await execa(file, [...before, ...args], {
      env: { ...this.#options.env, NO_COLOR: '1' },
      extendEnv: false,
      input,
      reject: false,
      timeout: commandMs,
      forceKillAfterDelay: 2000,
      ...(this.#options.signal && { cancelSignal: this.#options.signal }),
    });
    if (result.code === 'ENOENT' || result.code === 'EACCES') throw missing(this.#name);
    if (result.timedOut) {
      throw new OpenClawError(
        'openclaw_timeout',
        `${this.#name} ${args.slice(0, 2).join(' ')} did not end within ${commandMs / 1000} s.`,
        'Run it by hand to see what it waits for.',
      );
    }
    const { stdout = '', stderr = '' } = result;
    return { ok: result.exitCode === 0, stdout, words: wordsOf(stdout, stderr) };
  }
}

const missing = (name: string) =>
  new OpenClawError(
    'openclaw_missing',
    `${name} was not found.`,
    'Install OpenClaw (npm install -g openclaw), or name its executable with --openclaw.',
  );

const refused = (what: string, words: string) =>
  new OpenClawError(
    'openclaw_refused',
    `OpenClaw refused ${what}: ${words || 'it did not say why'}`,
    'Run `openclaw config validate` and `openclaw doctor`.',
  );

function failure(args: readonly string[], words: string): OpenClawError {
  if (!/externally managed|OPENCLAW_CONFIG_READONLY|OPENCLAW_NIX_MODE/.test(words))
    return refused(`\`openclaw ${args.slice(0, 2).join(' ')}\``, words);
  return new OpenClawError(
    'openclaw_readonly',
    `OpenClaw's configuration is read-only: ${words}`,
    'Edit it where it is deployed from; `--dry-run` shows what is needed. Nothing was changed.',
  );
}

/** Some releases print a line of words in front of the JSON. */
function jsonOf(stdout: string): unknown {
  for (const start of [0, stdout.indexOf('\n{') + 1, stdout.indexOf('\n[') + 1]) {
    try {
      return JSON.parse(stdout.slice(start));
    } catch {
      // Look behind the words.
    }
  }
  return undefined;
}

/** Longest complaint of OpenClaw that is repeated, characters. */
const longestWords = 600;

function wordsOf(stdout: string, stderr: string): string {
  const failure = Failure.safeParse(jsonOf(stdout));
  const said = failure.success ? failure.data.error.message : stderr.trim() || stdout.trim();
  return said.replace(/\s+/g, ' ').trim().slice(0, longestWords);
}
