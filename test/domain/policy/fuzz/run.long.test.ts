// What the corpus calls a way to run a command, or to open a file, is one: bash does it, with a program and a file that
// are only there for this.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { corpus } from '../../../../src/domain/policy/fuzz/corpus.ts';
import { fill, type Values } from '../../../../src/domain/policy/fuzz/fill.ts';
import { commandValues } from '../../../../src/domain/policy/fuzz/values/command-values.ts';
import { pathValues } from '../../../../src/domain/policy/fuzz/values/path-values.ts';

let home: string;
let cwd: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fuzz-run-'));
  cwd = join(home, 'ws');
  mkdirSync(join(home, 'bin'));
  mkdirSync(cwd);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs it in bash with aliases on, as Claude Code does. The time is a limit against hanging, ms. */
function ran(command: string): string {
  const env = { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin`, SHELL: '/bin/bash' };
  return spawnSync('bash', ['-c', `shopt -s expand_aliases\n${command}`], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 10_000,
  }).stdout;
}

const variants = (names: string, family: string, values: Values | undefined): string[] =>
  corpus
    .filter((each) => each.names === names && each.name === family)
    .flatMap((each) => each.variants.map((variant) => fill(String(variant), values ?? {}) ?? ''));

test.for(['quotes', 'expansions', 'structures'])('each variant of "%s" runs the command', (family) => {
  const mark = join(home, 'mark');
  const program = join(home, 'bin/forbid');
  // `true x` and the like leave the mark, too: only that the program ran with its argument counts.
  writeFileSync(program, `#!/bin/sh\n[ "$1" = x ] && : > ${mark}\nexit 0\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(cwd, 'f'), 'a\nb\n');
  const idle = variants('command', family, commandValues('forbid')).filter((command) => {
    // What was left in the background counts, too.
    ran(`${command.replaceAll('/bin/forbid', program)}\nwait`);
    const didRun = existsSync(mark);
    rmSync(mark, { force: true });
    return !didRun;
  });
  expect(idle).toEqual([]);
});

test('each spelling of a path opens the file', () => {
  mkdirSync(join(home, 'kept'));
  writeFileSync(join(home, 'kept/x'), 'secret-of-the-file\n');
  const values = pathValues('~/kept', { cwd, home, isFile: () => false });
  // Letters fold on other file systems, and the root of process 1 is not everybody's to see.
  const elsewhere = [values?.UPPER, '/proc/1/root'].map(String);
  const here = variants('path', 'other spellings in a command', values).filter(
    (command) => !elsewhere.some((part) => command.includes(part)),
  );
  expect(here.length).toBeGreaterThan(30);
  const blind = here.filter((command) => !/secret-of-the-file|^x$/m.test(ran(command)));
  expect(blind).toEqual([]);
});

test('each redirection reads or writes the file', () => {
  mkdirSync(join(home, 'kept'));
  const file = join(home, 'kept/x');
  writeFileSync(join(cwd, 'f'), '');
  const values = pathValues('~/kept', { cwd, home, isFile: () => false });
  const lines = variants('path', 'redirections', values).filter((command) => !command.startsWith('nc '));
  const blind = lines.filter((command) => {
    writeFileSync(file, 'secret-of-the-file\n');
    const reads = ran(command).includes('secret-of-the-file');
    const size = spawnSync('stat', ['-c', '%s', file], { encoding: 'utf8' }).stdout.trim();
    return !reads && size === '19';
  });
  expect(blind).toEqual([]);
});
