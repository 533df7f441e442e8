// Hosts that do not answer are ended from outside. A shell stands for a host, with real processes below it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identityOf } from '../../../src/base/process/process-identity.ts';
import { childrenOf, lookAt } from '../../../src/base/process/process-table.ts';
import { runMark, runVariable } from '../../../src/base/process/run-mark.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { endAtOnce } from '../../../src/bridge/terminal/end-at-once.ts';
import { isOver, pause, signal } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

let sessions: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  sessions = mkdtempSync(join(tmpdir(), 'synthesis-end-'));
  mkdirSync(join(sessions, 'one'));
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
  rmSync(sessions, { recursive: true, force: true });
});

function start(script: string, env: NodeJS.ProcessEnv = {}): number {
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...env },
  });
  started.push(child);
  return child.pid ?? 0;
}

const end = (pid: number, quit: () => Promise<unknown> = async () => {}) =>
  endAtOnce({
    hosts: [{ name: 'one', file: { run: 'r1', ...identityOf(pid), socket: '/none' } }],
    sessions,
    clock: systemClock,
    quit,
  });

test('a host that stands still is ended with all below it, and each of them is named', async () => {
  const host = start('sleep 60 & sleep 60 & wait');
  const below = await until('two processes', () => {
    const children = childrenOf(host);
    return children.filter((pid) => lookAt(pid)?.name === 'sleep').length === 2 ? children : undefined;
  });
  await pause(host);
  const { runs, alive } = await end(host, () => new Promise(() => {}));
  expect(alive).toEqual([]);
  expect([host, ...below].every(isOver)).toBe(true);
  expect(runs).toEqual([{ folder: 'one', commands: below.map((pid) => `sleep (${pid})`) }]);
});

test('what carries the mark of a run in this folder ends wherever it is, and what carries another one goes on', async () => {
  const host = start('sleep 60');
  const marked = start('exec sleep 60', { [runVariable]: runMark(join(sessions, 'one'), 'r1') });
  const lost = start('exec sleep 60', { [runVariable]: runMark(join(sessions, 'gone'), 'r0') });
  const others = start('exec sleep 60', { [runVariable]: runMark('/elsewhere/two', 'r1') });
  const { runs } = await end(host);
  expect([marked, lost, others].map(isOver)).toEqual([true, true, false]);
  const of = (folder: string | undefined) => runs.find((each) => each.folder === folder)?.commands.join();
  expect(of('one')).toContain(`(${marked})`);
  expect(of(undefined)).toContain(`(${lost})`);
});

test('whoever ends everything does not end itself, also where it carries the mark', async () => {
  const program = join(import.meta.dirname, '../../../src/bridge/terminal/end-at-once.ts');
  const clock = join(import.meta.dirname, '../../../src/base/time/clock.ts');
  const code = `import { endAtOnce } from ${JSON.stringify(program)}; import { systemClock } from ${JSON.stringify(clock)};
    const keep = setInterval(() => {}, 1000);
    await endAtOnce({ hosts: [], sessions: ${JSON.stringify(sessions)}, clock: systemClock, quit: async () => {} });
    clearInterval(keep); process.exit(7);`;
  const mark = runMark(join(sessions, 'one'), 'r1');
  const other = start('exec sleep 60', { [runVariable]: mark });
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: 'ignore',
    env: { ...process.env, [runVariable]: mark },
  });
  started.push(child);
  expect(await once(child, 'exit')).toEqual([7, null]);
  expect(isOver(other)).toBe(true);
  signal(other, 'SIGKILL');
});
