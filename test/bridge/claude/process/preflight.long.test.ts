import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findExecutable } from '../../../../src/bridge/claude/launch/find-executable.ts';
import { PreflightCheck } from '../../../../src/bridge/claude/process/preflight.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'preflight-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A program that notes each call and behaves as told. */
function program(body: string): string {
  const path = join(dir, 'claude');
  writeFileSync(path, `#!/bin/sh\necho "$@" >> '${dir}/calls'\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
const calls = () => readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n');
const check = (claudeCommand: string[]) =>
  new PreflightCheck({ claudeCommand, env: { PATH: `${dir}:/usr/bin:/bin` } });

test('finds the program on PATH and reads its version', async () => {
  const path = program('echo "2.1.329 (Claude Code)"');
  expect(await check(['claude']).run()).toEqual({ ok: true, command: [path], version: '2.1.329' });
});

test('asks once per program, and again when its file changed', async () => {
  const path = program('echo 2.1.329');
  const preflight = check(['claude']);
  await preflight.run();
  await preflight.run();
  expect(calls()).toHaveLength(1);
  utimesSync(path, 1, 1);
  await preflight.run();
  expect(calls()).toHaveLength(2);
});

test('a missing program is claude_not_found, by its name', async () => {
  const result = await check(['no-such-claude']).run();
  expect(result).toMatchObject({
    ok: false,
    failure: 'claude_not_found',
    detail: '"no-such-claude" was not found.',
  });
});

test.each(['2.0.76', '1.9.999'])('version %s is claude_too_old', async (version) => {
  program(`echo "${version} (Claude Code)"`);
  expect(await check(['claude']).run()).toMatchObject({ ok: false, failure: 'claude_too_old' });
});

test.each([
  ['prints something else', 'echo hello'],
  ['fails', 'exit 3'],
])('a program that %s is tried anyway', async (_title, body) => {
  program(body);
  expect(await check(['claude']).run()).toMatchObject({ ok: true, version: undefined });
});

test('arguments of the command stay in front', async () => {
  const path = program('echo 2.1.329');
  expect(await check(['claude', 'inner.js']).run()).toMatchObject({ command: [path, 'inner.js'] });
  expect(calls()).toEqual(['inner.js --version']);
});

test.each([
  [0, true],
  [1, false],
  [2, undefined],
])('auth status with exit code %i means signed in: %s', async (code, signedIn) => {
  program(`[ "$1" = auth ] && exit ${code}; echo 2.1.329`);
  expect(await check(['claude']).signedIn()).toBe(signedIn);
});

test('a directory or a file without its exec bit is no program', () => {
  writeFileSync(join(dir, 'plain'), '');
  expect(findExecutable('plain', dir)).toBeUndefined();
  expect(findExecutable(dir, undefined)).toBeUndefined();
});
