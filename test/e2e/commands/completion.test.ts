// Tab in a real bash and a real zsh; what fish asks for.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

/** Puts the program on a PATH of its own, as an installed one is. */
function installed(home: Home): Record<string, string> {
  const bin = join(home.path, 'bin');
  mkdirSync(bin);
  const line = home
    .argv()
    .map((part) => `'${part}'`)
    .join(' ');
  writeFileSync(join(bin, 'synthesis'), `#!/bin/sh\nexec ${line} "$@"\n`);
  chmodSync(join(bin, 'synthesis'), 0o755);
  const env = home.env({ TERM: 'xterm-256color', SYNTHESIS_HOME: home.path });
  return { ...env, PATH: `${bin}:${env.PATH}`, PS1: 'prompt> ' };
}

const choices = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(':') ? [] : [line.split('\t')[0]]));

const shells: [name: string, argv: [string, ...string[]], load: string, list: RegExp][] = [
  ['bash', ['bash', '--norc', '--noprofile', '-i'], '', /^main +other *$/m],
  ['zsh', ['zsh', '-f', '-i'], 'autoload -Uz compinit; compinit -u -D;', /^agent:main:main +-- idle *$/m],
];
const isThere = (shell: string) => spawnSync(shell, ['-c', ':']).status === 0;

describe.each(shells)('Tab in %s', (name, argv, load, list) => {
  // `.ci/run` installs it, or says that it could not.
  const { CI, CI_WITHOUT } = process.env;
  test.skipIf(!isThere(name) && (!CI || CI_WITHOUT === name))(
    'completes commands, flags, their values, session keys with colons, and codes, or is skipped where it is not installed',
    async () => {
      await using home = new Home();
      const bridge = await home.up();
      await home.command('send', '--create', 'agent:main:main', 'hi');
      const question = await bridge.ask('agent:main:other', '[[bash:echo x]]');
      const code = /yes ([a-km-z]{5})/.exec(question)?.[1] ?? '';
      await using shell = new Pty(argv, { cwd: home.cwd, env: installed(home), cols: 100, rows: 30 });
      shell.type(`${load} source <(synthesis completion ${name}); echo lo""aded\r`);
      await until('the shell', () => shell.screen.includes('loaded'));
      shell.type('synthesis send "$(touch proof)" \t\u0015synthesis send agent:main:\t\t');
      await until('the sessions, and what each does', () => list.test(shell.screen));
      expect(existsSync(join(home.cwd, 'proof'))).toBe(false);
      shell.type('\u0015');
      const cases: [typed: string, shown: string][] = [
        ['synthesis appro\t', 'synthesis appro'],
        ['synthesis inte\t', 'synthesis interrupt '],
        ['synthesis up --det\t', 'synthesis up --detach '],
        ['synthesis up --delivery ch\t', 'synthesis up --delivery channel '],
        ['synthesis up --delivery=te\t', 'synthesis up --delivery=terminal '],
        ['synthesis send agent:main:ma\t', 'synthesis send agent:main:main '],
        [`synthesis approve ${code.slice(0, 2)}\t`, `synthesis approve ${code} `],
        ['synthesis logs -f agent:main:o\t', 'synthesis logs -f agent:main:other '],
        ['synthesis config s\t', 'synthesis config set '],
        ['synthesis completion z\t', 'synthesis completion zsh '],
        ['synthesis config set timeouts.id\t', 'synthesis config set timeouts.idleMs '],
        ['synthesis config set delivery te\t', 'synthesis config set delivery terminal '],
        ['synthesis audit --session agent:main:o\t', 'synthesis audit --session agent:main:other '],
      ];
      for (const [typed, shown] of cases) {
        shell.type(typed);
        await until(shown, () => shell.rows.some((row) => row.startsWith(`prompt> ${shown.trimEnd()}`)));
        shell.type('\u0015');
      }
    },
  );
});

test('what is typed is not run, and names that mean something to a shell are offered as ids only', async () => {
  await using home = new Home();
  await home.up();
  const evil = 'x $(touch proof) `touch proof`;\n';
  await home.command('send', '--create', evil, 'hi');
  const [{ id }] = JSON.parse((await home.command('ps', '--json')).stdout);
  const offered = await home.run(['complete', '--', 'send', '--state-dir', home.state, '']);
  expect(choices(offered.stdout)).toEqual([id]);
  expect(offered.stdout).not.toMatch(/[`$;\\]/);
  const script = `source <(synthesis completion bash)
    COMP_LINE='synthesis send "$(touch proof)" ' COMP_POINT=\${#COMP_LINE}
    _synthesis_complete; echo "\${COMPREPLY[@]}"; ls`;
  const { stdout } = await execa('/bin/bash', ['-c', script], {
    env: installed(home),
    extendEnv: false,
    cwd: home.cwd,
  });
  expect(stdout).not.toContain('proof');
});

test('without a bridge nothing is offered and nothing said; every shell has a script', async () => {
  await using home = new Home();
  const offered = await home.run(['complete', '--', 'send', '--state-dir', home.state, '']);
  expect([offered.code, offered.stdout, offered.stderr]).toEqual([0, ':4', '']);
  expect((await home.run(['complete', '--', 'up', '--cwd', 'a'])).stdout).toBe(':0');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await home.run(['completion', shell]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('synthesis complete -- ')]);
  }
  expect((await home.run(['completion', 'tcsh'])).code).toBe(2);
});

test('keys of the configuration are offered where they are of use, and what is a closed set is', async () => {
  await using home = new Home();
  home.configure({ timeouts: { idleMs: '10m' } });
  const offered = async (...words: string[]) =>
    choices((await home.run(['complete', '--', ...words])).stdout).filter(Boolean);
  expect(await offered('config', 'get', 'timeouts')).toContain('timeouts');
  expect(await offered('config', 'set', 'timeouts')).not.toContain('timeouts');
  expect(await offered('config', 'unset', 't')).toEqual(['timeouts', 'timeouts.idleMs']);
  expect(await offered('config', 'set', 'attach.copy', '')).toEqual(['true', 'false']);
  expect(await offered('config', 'set', 'no.such', '')).toEqual([]);
  expect(await offered('up', '--permission-mode', 'p')).toEqual(['plan']);
  expect(await offered('service', 'un')).toEqual(['uninstall']);
  expect(await offered('docs', 'gloss')).toEqual(['glossary']);
  expect(await offered('help', 'config', 'p')).toEqual(['path']);
});
