import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashId } from '../../../../src/base/digest.ts';
import { claimSessionDir, sessionDir } from '../../../../src/bridge/claude/launch/session-files.ts';
import { lockSession } from '../../../../src/bridge/claude/process/session-lock.ts';
import { fifo } from '../../../support/planted.ts';

let dir: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0);
  dir = mkdtempSync(join(tmpdir(), 'session-files-'));
});
afterEach(() => {
  process.umask(umask);
  rmSync(dir, { recursive: true, force: true });
});
const mode = (path: string) => statSync(path).mode & 0o777;

test('no session key leaves the state directory', () => {
  const name = /^sessions\/[0-9a-f]{16}$/;
  const property = fc.property(fc.string({ unit: 'binary' }), (key) =>
    name.test(relative('/s', sessionDir('/s', key))),
  );
  fc.assert(property);
  expect(relative('/s', sessionDir('/s', '../../etc'))).toMatch(name);
});

test('a session’s folder is the owner’s alone, even without a umask, and no link on the way to it is followed', () => {
  const inner = claimSessionDir(dir, 'key');
  for (const path of [inner, join(inner, '..')]) expect(mode(path)).toBe(0o700);
  const planted = mkdtempSync(join(dir, 'planted-'));
  symlinkSync(tmpdir(), join(planted, 'sessions'));
  expect(() => claimSessionDir(planted, 'key')).toThrow('symbolic link');
});

test('what stands in the place of a lock is replaced, neither followed nor waited for', () => {
  const lock = lockSession(dir, 'uuid');
  if (lock.ok) lock.release();
  const target = join(dir, 'target');
  writeFileSync(target, 'untouched');
  const path = join(dir, 'locks', `${hashId('uuid')}.lock`);
  for (const plant of [() => symlinkSync(target, path), () => fifo(path)]) {
    plant();
    const taken = lockSession(dir, 'uuid');
    expect(taken.ok).toBe(true);
    if (taken.ok) taken.release();
  }
  expect(readFileSync(target, 'utf8')).toBe('untouched');
});

const lockFile = () => join(dir, 'locks', readdirSync(join(dir, 'locks'))[0] ?? '');

test('the lock of a session that a living process holds is refused, with its pid', () => {
  const lock = lockSession(dir, 'uuid');
  expect(lock.ok).toBe(true);
  // Our parent stands for the other bridge.
  writeFileSync(lockFile(), JSON.stringify({ pid: process.ppid, started: '' }));
  expect(lockSession(dir, 'uuid')).toEqual({ ok: false, holder: process.ppid });
});

test('two runs of one bridge exclude each other, too', () => {
  const first = lockSession(dir, 'uuid');
  expect(lockSession(dir, 'uuid')).toEqual({ ok: false, holder: process.pid });
  expect(lockSession(dir, 'another').ok).toBe(true);
  if (first.ok) first.release();
  const second = lockSession(dir, 'uuid');
  expect(second.ok).toBe(true);
  // Whoever let go before lets nobody else's go.
  if (first.ok) first.release();
  expect(lockSession(dir, 'uuid').ok).toBe(false);
});

test.each([
  ['a dead process', JSON.stringify({ pid: 2 ** 22 + 1, started: '' })],
  ['a process that got the pid of a dead one', JSON.stringify({ pid: process.ppid, started: 'long ago' })],
  ['nobody, being unreadable', 'garbage'],
])('the lock of %s is taken over', (_title, content) => {
  lockSession(dir, 'uuid');
  writeFileSync(lockFile(), content);
  expect(lockSession(dir, 'uuid').ok).toBe(true);
});

test('a released lock is gone, and nothing else was left', () => {
  const lock = lockSession(dir, 'uuid');
  if (lock.ok) lock.release();
  expect(readdirSync(join(dir, 'locks'))).toEqual([]);
  expect(existsSync(join(dir, 'locks'))).toBe(true);
});
