import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  identityOf,
  isAlive,
  isHeldUp,
  isRunning,
  readIdentity,
} from '../../src/base/process/process-identity.ts';
import { until } from '../support/until.ts';

/** A process that ended and that its parent, which is no shell any more, never asks about. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sh -c "read line" <&3 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number(await firstLine(parent));
  await until('the shell to have become another program', () =>
    readFileSync(`/proc/${parent.pid}/comm`, 'utf8').startsWith('sleep'),
  );
  (parent.stdio[3] as NodeJS.WritableStream).end('\n');
  return pid;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return chunk.toString();
}

test('a process that ended lives no more, even before somebody has asked how', async () => {
  const pid = await zombie();
  await until('its end', () => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  // It still has its pid, and the time of its start.
  expect(process.kill(pid, 0)).toBe(true);
  expect(isRunning(pid)).toBe(false);
  expect(isAlive(identityOf(pid))).toBe(false);
  expect(isAlive({ pid, started: '' })).toBe(false);
});

test('a process lives under the time of its own start, and under no other', () => {
  const own = identityOf(process.pid);
  expect(isRunning(process.pid)).toBe(true);
  expect(isAlive(own)).toBe(true);
  expect(isAlive({ ...own, started: `${own.started}0` })).toBe(false);
  // Where start times cannot be read.
  expect(isAlive({ ...own, started: '' })).toBe(true);
});

test('a pid of nobody is not alive', async () => {
  const child = spawn('true');
  const { pid = 0 } = child;
  await once(child, 'exit');
  expect(isRunning(pid)).toBe(false);
  expect(isAlive({ pid, started: '' })).toBe(false);
  expect(isHeldUp({ pid, started: '' })).toBe(false);
});

/**
 * As behind a disk that does not answer: nobody goes on who waits for a child of CLONE_VFORK. Perl asks for one by its
 * number, and the child ends with its input.
 */
const waitsAsForDisk = `syscall(${process.arch === 'arm64' ? 220 : 56}, 0x4011, 0, 0, 0, 0) or <STDIN>`;

/** @param state as /proc tells it */
async function processIn(state: string, program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => {
    child.stdin.end();
    child.kill('SIGKILL');
  });
  const { pid = 0 } = child;
  await until(`its state ${state}`, () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(`) ${state} `));
  return pid;
}

test.each([
  ['computes', 'R', 'sh', ['-c', 'while :; do :; done']],
  ['waits for a disk', 'D', 'perl', ['-e', waitsAsForDisk]],
] as const)('a process that %s would go on: it is held up', async (_, state, program, args) => {
  expect(isHeldUp(identityOf(await processIn(state, program, args)))).toBe(true);
});

test.each([
  ['waits to be told something', 'S', 'cat', []],
  ['was stopped', 'T', 'sh', ['-c', 'kill -STOP $$']],
] as const)('a process that %s is not held up', async (_, state, program, args) => {
  expect(isHeldUp(identityOf(await processIn(state, program, args)))).toBe(false);
});

test('what is no pid is not alive', () => {
  expect([Number.NaN, 1.5, 2 ** 40].map(isRunning)).toEqual([false, false, false]);
});

test.each([undefined, null, 7, {}, { pid: '7' }])('%j is no identity', (value) => {
  expect(readIdentity(value)).toBeUndefined();
});
