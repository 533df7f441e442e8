// What `synthesis doctor --fix` dares, and what it leaves to a person.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identityOf } from '../../../src/base/process/process-identity.ts';
import { fixed } from '../../../src/bridge/doctor/fix/fixes.ts';
import { leftovers } from '../../../src/bridge/doctor/fix/leftovers.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** Of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid ?? 0;

function stateDir(): string {
  const dir = join(tempDir(), 'state');
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

const write = (path: string, content: object) =>
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
const fix = (dir: string) => fixed({ stateDir: dir, isRunning: false });
const mode = (path: string) => statSync(path).mode & 0o777;

test('a folder that others could write in is left to a person, and nothing in it is believed', async () => {
  const dir = stateDir();
  write(join(dir, 'bridge.json'), { pid: deadPid() });
  chmodSync(dir, 0o777);
  expect(await fix(dir)).toEqual([]);
  expect([mode(dir), existsSync(join(dir, 'bridge.json'))]).toEqual([0o777, true]);
});

test('a link, and what somebody else may have made, is left alone', async () => {
  const dir = stateDir();
  const link = join(tempDir(), 'link');
  symlinkSync(dir, link);
  expect(await fix(link)).toEqual([]);
  symlinkSync(join(dir, 'nowhere'), join(dir, 'token'));
  chmodSync(dir, 0o755);
  expect(await fix(dir)).toEqual([]);
  expect(mode(dir)).toBe(0o755);
});

test('what belongs to a process that lives, or to nobody who can be told, stays', async () => {
  const dir = stateDir();
  mkdirSync(join(dir, 'locks'), { mode: 0o700 });
  write(join(dir, 'locks/alive.lock'), identityOf(process.pid));
  write(join(dir, 'locks/strange.lock'), { of: 'whom?' });
  write(join(dir, 'locks/dead.lock'), { pid: deadPid(), started: '1' });
  writeFileSync(join(dir, `token.${process.pid}.tmp`), '');
  writeFileSync(join(dir, `token.${deadPid()}.tmp`), '');
  writeFileSync(join(dir, 'notes.tmp'), '');
  expect((await fix(dir)).map(({ message, done }) => [done, message])).toEqual([
    [true, expect.stringMatching(/^locks\/dead\.lock of a process that is gone/)],
    [true, expect.stringMatching(/^state\/token\.\d+\.tmp of a process that is gone/)],
  ]);
  expect(readdirSync(join(dir, 'locks')).sort()).toEqual(['alive.lock', 'strange.lock']);
  expect(readdirSync(dir).sort()).toEqual(['locks', 'notes.tmp', `token.${process.pid}.tmp`]);
  expect(await fix(dir)).toEqual([]);
});

test('while a bridge runs, or may, nothing of its folder is anybody’s leftover', async () => {
  const dir = stateDir();
  writeFileSync(join(dir, `token.${deadPid()}.tmp`), '');
  expect(await fixed({ stateDir: dir, isRunning: true })).toEqual([]);
  for (const about of [{ pid: process.pid }, { pid: 'whose?' }, 'nothing'] as object[]) {
    write(join(dir, 'bridge.json'), about);
    expect(leftovers(dir)).toEqual([]);
  }
});

test('a socket on which somebody answers by now is not taken away, and that is said', async () => {
  const dir = stateDir();
  const control = join(dir, 'control.sock');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(control, resolve));
  onTestFinished(() => void server.close());
  write(join(dir, 'bridge.json'), { pid: deadPid(), control });
  const [first] = await fix(dir);
  expect(first).toMatchObject({ done: false, message: expect.stringContaining('somebody answers there') });
  expect(existsSync(control)).toBe(true);
});
