import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { identityOf } from '../../../src/base/process/process-identity.ts';
import { ProcessGroups } from '../../../src/bridge/tools/link/process-groups.ts';

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), 'groups-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'providers.json');
}

async function sleeper() {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid ?? 0 };
}

test('what runs is in the file, and the file is gone when nothing does', async () => {
  const file = place();
  const { pid } = await sleeper();
  const groups = new ProcessGroups(file, silentLog);
  groups.add(pid);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([identityOf(pid)]);
  groups.remove(pid);
  expect(existsSync(file)).toBe(false);
});

test('what the bridge before left is ended', async () => {
  const file = place();
  const { child, pid } = await sleeper();
  const ended = once(child, 'exit');
  new ProcessGroups(file, silentLog).add(pid);
  expect(new ProcessGroups(file, silentLog).endLeftovers()).toBe(1);
  expect((await ended)[1]).toBe('SIGKILL');
  expect(existsSync(file)).toBe(false);
});

test.each([
  ['that got the pid of one', (pid: number) => [{ pid, started: '1' }]],
  ['whose start nobody knows', (pid: number) => [{ pid, started: '' }]],
  ['when the file is damaged', () => 'nonsense'],
  ['when the file is a list of something else', () => [null, 5, { pid: 'x' }]],
])('a process %s is left alone', async (_what, content) => {
  const file = place();
  const { child, pid } = await sleeper();
  writeFileSync(file, JSON.stringify(content(pid)), { mode: 0o600 });
  expect(new ProcessGroups(file, silentLog).endLeftovers()).toBe(0);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  process.kill(pid, 0);
});

test('a disk that takes nothing keeps no provider from running', () => {
  const groups = new ProcessGroups('/proc/nowhere/providers.json', silentLog);
  expect(() => groups.add(process.pid)).not.toThrow();
});
