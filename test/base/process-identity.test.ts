import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { identityOf, isAlive, isRunning, readIdentity } from '../../src/base/process/process-identity.ts';
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
});

test('what is no pid is not alive', () => {
  expect([Number.NaN, 1.5, 2 ** 40].map(isRunning)).toEqual([false, false, false]);
});

test.each([undefined, null, 7, {}, { pid: '7' }])('%j is no identity', (value) => {
  expect(readIdentity(value)).toBeUndefined();
});
