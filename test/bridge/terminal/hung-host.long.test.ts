// A host that does not answer, as one that was stopped or waits for a disk.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId, newToken } from '../../../src/base/ids.ts';
import { silentLog } from '../../../src/base/log.ts';
import { identityOf, isAlive } from '../../../src/base/process/process-identity.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { HostAddress } from '../../../src/bridge/terminal/host-proof.ts';
import { Hosted } from '../../../src/bridge/terminal/hosted.ts';
import { takeHost } from '../../../src/bridge/terminal/take-host.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { oneFile } from '../../support/one-file.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const program = await oneFile(join(import.meta.dirname, '../../../src/host/main.ts'));

const secret = newToken();

async function newHost(): Promise<{ file: HostFile; address: HostAddress; child: ChildProcess }> {
  const dir = tempDir();
  const address = { run: newId('r'), socket: join(dir, 'host.sock'), secret };
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(JSON.stringify({ dir, ...address }));
  const file = () => readFileSync(join(dir, 'host.json'), 'utf8');
  await until('its file', () => existsSync(join(dir, 'host.json')));
  return { file: JSON.parse(file()) as HostFile, address, child };
}

test('one that is told to quit and does not is killed, and its program with it', async () => {
  const { file, address, child } = await newHost();
  const clock = new ManualClock();
  const hosted = await Hosted.at(address, file, clock);
  const spec = { argv: ['/bin/sh', '-c', 'trap "" HUP TERM; while :; do sleep 1; done'] as const, env: {} };
  const terminal = await hosted.start({ ...spec, cwd: '/', cols: 40, rows: 5 }, 'token');
  const ended = once(child, 'exit');
  child.kill('SIGSTOP');
  const quit = hosted.quit();
  clock.advance(5_000);
  await quit;
  expect(await ended).toEqual([null, 'SIGKILL']);
  const own = identityOf(terminal.pid);
  await until('the end of its program', () => {
    clock.advance(500);
    return !isAlive(own);
  });
});

test('one that cannot be reached is killed where it is certain that it is it, and else left alone', async () => {
  const { file, address, child } = await newHost();
  const unreachable = { ...file, socket: `${file.socket}-elsewhere` };
  expect(await takeHost({ ...unreachable, started: '' }, secret, systemClock, silentLog)).toBeUndefined();
  expect(await takeHost({ ...unreachable, started: '1' }, secret, systemClock, silentLog)).toBeUndefined();
  // It answers.
  (await Hosted.at(address, file, systemClock)).remember(new Uint8Array());
  const ended = once(child, 'exit');
  expect(await takeHost(unreachable, secret, systemClock, silentLog)).toBeUndefined();
  expect(await ended).toEqual([null, 'SIGKILL']);
});

/**
 * A host that computes when somebody connects, until the file `hello` is there; only then it proves itself. It looks for
 * the file seldom, and leaves no work to threads of V8: while it waits for one of those it sleeps, and is not held up.
 */
const busy = `
import { existsSync } from 'node:fs';
import { Server } from 'node:net';
const [dir, order, host] = process.argv.slice(1);
const { Host } = await import(host);
const path = dir + '/hello';
const compute = () => {
  for (let each = 0; each < 1e6; each++);
};
const emit = Server.prototype.emit;
Server.prototype.emit = function (name, ...args) {
  if (name === 'connection') {
    console.log('accepted');
    while (!existsSync(path)) compute();
  }
  return emit.call(this, name, ...args);
};
await Host.open(JSON.parse(order));
console.log('listening');
`;

async function busyHost() {
  const dir = tempDir();
  const address = { run: 'r1', socket: join(dir, 'own.sock'), secret };
  const order = JSON.stringify({ dir, ...address });
  const host = new URL('../../../src/host/host.ts', import.meta.url).href;
  const argv = ['--single-threaded', '--input-type=module', '-e', busy, dir, order, host];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const clock = new ManualClock();
  const file = { ...identityOf(child.pid ?? 0), run: 'r1', socket: address.socket };
  const taken = takeHost(file, secret, clock, silentLog);
  await once(child.stdout, 'data');
  // Both ends learn of the connection in one turn of the event loop, in either order.
  await new Promise(setImmediate);
  return { dir, child, clock, taken };
}

test('one that has no processor for a while is waited for, and its Claude Code lives', async () => {
  const { dir, clock, taken } = await busyHost();
  clock.advance(27_000);
  writeFileSync(join(dir, 'hello'), '');
  expect(await taken).toBeDefined();
});

test('one that is stopped is not waited for', async () => {
  const { child, clock, taken } = await busyHost();
  const ended = once(child, 'exit');
  child.kill('SIGSTOP');
  await until('its stop', () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').includes(') T '));
  clock.advance(3_000);
  expect(await taken).toBeUndefined();
  expect(await ended).toEqual([null, 'SIGKILL']);
});
