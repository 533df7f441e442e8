// What a guide says is done, line by line, by a shell in a home of its own; the package is where npm put it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InstalledPackage } from '../../support/installed-package.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { Home, simulatedClaude } from '../support/program.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.install();
}, 90_000);
afterAll(() => installed?.[Symbol.asyncDispose]());

/** The n-th block of commands in a guide. */
function block(guide: string, n: number): string {
  const text = readFileSync(resolve(import.meta.dirname, `../../../docs/guides/${guide}.md`), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, commands = '']) => commands);
  return blocks[n] ?? expect.fail(`${guide} has no block ${n}`);
}

class Stranger extends Home {
  readonly #variables: Record<string, string>;

  private constructor(variables: Record<string, string>) {
    super(installed.program);
    this.#variables = variables;
  }

  static async arrives(): Promise<Stranger> {
    const stranger = new Stranger({ SYNTHESIS_PORT: String(await lastingPort()) });
    stranger.configure({ claude: simulatedClaude, delivery: 'terminal' });
    return stranger;
  }

  override env(extra: Record<string, string> = {}): Record<string, string> {
    const env = super.env(extra);
    return {
      ...env,
      PATH: `${installed.prefix}/bin:${env.PATH}`,
      npm_config_prefix: installed.prefix,
      npm_config_cache: `${installed.prefix}/cache`,
      npm_config_update_notifier: 'false',
      ...this.#variables,
    };
  }

  /** Types it all. @returns what was shown, and how the last command ended */
  async types(commands: string): Promise<{ code: number | undefined; shown: string }> {
    const options = { env: this.env(), extendEnv: false, cwd: this.cwd, all: true, reject: false } as const;
    const { exitCode, all } = await execa('bash', ['-c', commands], { ...options, timeout: 60_000 });
    return { code: exitCode, shown: all };
  }

  async ask(content: string): Promise<string> {
    const state = join(this.path, '.local/state/synthesis');
    const response = await fetch(`http://127.0.0.1:${this.#variables.SYNTHESIS_PORT}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(state, 'token'), 'utf8').trim()}`,
        'content-type': 'application/json',
        'x-synthesis-session': 'notes',
      },
      body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content }] }),
    });
    return response.text();
  }

  /** The pid of the one there is. */
  async claude(): Promise<number> {
    const sessions = JSON.parse((await this.run(['ps', '--json'])).stdout) as { pid: number | null }[];
    return sessions[0]?.pid ?? expect.fail('there is none');
  }

  /** Files of this home, without what is this test's. */
  files(): string[] {
    return readdirSync(this.path, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !statSync(join(this.path, name)).isDirectory(),
    );
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.run(['down']);
    await super[Symbol.asyncDispose]();
  }
}

test('backup: the copy is the user’s alone, and goes on where it was', async () => {
  await using stranger = await Stranger.arrives();
  await stranger.types('synthesis up -d');
  expect(await stranger.ask('hello')).toContain('I remember 0 earlier');
  expect(await stranger.types(`set -e\n${block('backup', 0)}`)).toMatchObject({ code: 0 });
  expect(await stranger.ask('still there?')).toContain('I remember 1 earlier');
  const copy = join(stranger.cwd, 'synthesis-backup.tar.gz');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const { stdout } = await execa('tar', ['-tzf', copy]);
  const entries = stdout.split('\n');
  expect(entries).toEqual(
    expect.arrayContaining([
      '.config/synthesis/config.json',
      ...['token', 'journal.db', 'journal.head', 'audit.key'].map((name) => `.local/state/synthesis/${name}`),
    ]),
  );
  expect(entries.filter((name) => /\/(?:sessions|locks)\//.test(name))).toEqual([]);

  // As on a new machine, with what Claude Code remembers.
  await stranger.types('synthesis down; rm -r ~/.config ~/.local');
  expect(await stranger.types(`set -e\n${block('backup', 1)}`)).toMatchObject({ code: 0 });
  expect(await stranger.ask('and here?')).toContain('I remember 2 earlier');
});

test('upgrade: the new release goes on with the journal and the Claude Code of the old one', async () => {
  await using stranger = await Stranger.arrives();
  await stranger.types('synthesis up -d');
  expect(await stranger.ask('hello')).toContain('I remember 0 earlier');
  const claude = await stranger.claude();
  await installed.upgrade('99.0.0');
  expect((await stranger.types('synthesis version')).shown).toBe('99.0.0');
  expect((await stranger.types(block('upgrade', 1))).code).toBe(0);
  const looked = await stranger.types(block('upgrade', 2));
  expect(looked.shown).toMatch(/^99\.0\.0\nok {4}bridge {6}Bridge 99\.0\.0 .*, 1 of 1 sessions live/);
  expect(await stranger.ask('still there?')).toContain('I remember 1 earlier');
  expect(await stranger.claude()).toBe(claude);
});

// The last one: the package is gone then.
test('uninstall: what the guide names is all that stays', async () => {
  await using stranger = await Stranger.arrives();
  const before = stranger.files();
  await stranger.types('synthesis up -d');
  expect(await stranger.ask('hello')).toContain('I remember 0 earlier');
  const { shown, code } = await stranger.types(block('uninstall', 0));
  expect([code, shown]).toEqual([0, expect.stringContaining('The bridge has stopped.')]);
  expect(existsSync(installed.program)).toBe(false);
  expect(readdirSync(join(installed.prefix, 'lib/node_modules'))).toEqual([]);
  const left = stranger.files().filter((name) => !before.includes(name));
  expect(left.filter((name) => !/^\.local\/state\/synthesis\/|^\.claude\/projects\//.test(name))).toEqual([]);
  expect((await stranger.types(block('uninstall', 1))).code).toBe(0);
  expect(stranger.files().filter((name) => !name.startsWith('.claude/projects/'))).toEqual([]);
});
