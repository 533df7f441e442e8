// A host that does not answer, as one that was stopped or waits for a disk.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { identityOf, isAlive } from '../../../src/base/process/process-identity.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { Hosted } from '../../../src/bridge/terminal/hosted.ts';
import { takeHost } from '../../../src/bridge/terminal/take-host.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { hostFrameHead } from '../../../src/protocol/wire/host-codec.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { oneFile } from '../../support/one-file.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const program = await oneFile(join(import.meta.dirname, '../../../src/host/main.ts'));

async function newHost(): Promise<{ file: HostFile; child: ChildProcess }> {
  const dir = tempDir();
  const child = spawn(process.execPath, [program, dir, 'r1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { file: JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8')) as HostFile, child };
}

test('one that is told to quit and does not is killed, and its program with it', async () => {
  const { file, child } = await newHost();
  const clock = new ManualClock();
  const hosted = await Hosted.at(file.socket, file, clock);
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
  const { file, child } = await newHost();
  const unreachable = { ...file, socket: `${file.socket}-elsewhere` };
  expect(await takeHost({ ...unreachable, started: '' }, systemClock, silentLog)).toBeUndefined();
  expect(await takeHost({ ...unreachable, started: '1' }, systemClock, silentLog)).toBeUndefined();
  // It answers.
  (await Hosted.at(file.socket, file, systemClock)).remember(new Uint8Array());
  const ended = once(child, 'exit');
  expect(await takeHost(unreachable, systemClock, silentLog)).toBeUndefined();
  expect(await ended).toEqual([null, 'SIGKILL']);
});

/**
 * Accepts connections, and then computes until the file `hello` is there; only then it says who it is. It looks for the
 * file seldom, and leaves no work to threads of V8: while it waits for one of those it sleeps, and is not held up.
 */
const busy = `
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
const [dir, hello] = process.argv.slice(1);
const path = dir + '/hello';
const compute = () => {
  for (let each = 0; each < 1e6; each++);
};
createServer((socket) => {
  console.log('accepted');
  while (!existsSync(path)) compute();
  socket.write(Buffer.from(hello, 'base64'));
}).listen(dir + '/own.s', () => console.log('listening'));
`;

async function busyHost() {
  const dir = tempDir();
  const hello = hostFrameHead({ type: 'hello', version: 1, run: 'r1', port: 1, lost: 0 }, 0).toString(
    'base64',
  );
  const argv = ['--single-threaded', '--input-type=module', '-e', busy, dir, hello];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const socket = join(dir, 'own.s');
  chmodSync(socket, 0o600);
  const clock = new ManualClock();
  const taken = takeHost({ run: 'r1', ...identityOf(child.pid ?? 0), socket }, clock, silentLog);
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
