// The program itself, as a bridge starts it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive, isRunning } from '../../src/base/process/process-identity.ts';
import type { HostFile } from '../../src/protocol/wire/host.ts';
import { oneFile } from '../support/one-file.ts';
import { until } from '../support/until.ts';
import { secret, type TestFolder, TestOwner, testFolder } from './support.ts';

const program = await oneFile(join(import.meta.dirname, '../../src/host/main.ts'));

interface Started {
  child: ChildProcessWithoutNullStreams;
  said(): string;
  [Symbol.dispose](): void;
}

/** Waits for its order. */
async function spare(): Promise<Started> {
  const child = spawn(process.execPath, [program], { detached: true });
  let said = '';
  for (const each of [child.stdout, child.stderr])
    each.on('data', (part) => {
      said += part;
    });
  await until('a line', () => said.includes('\n'));
  return { child, said: () => said, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

async function start(folder: TestFolder): Promise<Started> {
  const host = await spare();
  host.child.stdin.end(JSON.stringify(folder));
  await until('its answer', () => host.said().split('\n').length > 2 || host.child.exitCode !== null);
  return host;
}

const ready = '{"waiting":true}\n{"ready":true}\n';

const sources = ['bridge/terminal/host-link.ts', 'base/time/clock.ts'].map(
  (name) => new URL(`../../src/${name}`, import.meta.url).href,
);

/** Runs a script that owns a host: `link`. */
const ownerOf = (folder: TestFolder, script: string): ChildProcessWithoutNullStreams => {
  const address = JSON.stringify(folder);
  const code = `
const [link_, clock_, address] = process.argv.slice(1);
const { HostLink } = await import(link_);
const { systemClock } = await import(clock_);
const link = await HostLink.to(JSON.parse(address), systemClock, () => false);
setInterval(() => {}, 1_000);
${script}`;
  return spawn(process.execPath, ['--input-type=module', '-e', code, ...sources, address]);
};

/** Types `g`, and tells what it sees, until it is killed. */
const looksOn = `
link.send({ type: 'attach' });
link.send({ type: 'input' }, Buffer.from('g'));
link.listen(({ frame, bytes }) => {
  if (frame.type === 'output') process.stdout.write(bytes);
});
`;

test('its owner is killed, and the next one has every byte once, and the exit code', async () => {
  using folder = testFolder();
  using host = await start(folder);
  expect(host.said()).toBe(ready);
  const file = JSON.parse(readFileSync(join(folder.dir, 'host.json'), 'utf8')) as HostFile;
  expect(file).toMatchObject({ run: folder.run, pid: host.child.pid, socket: folder.socket });
  expect(isAlive(file)).toBe(true);

  using starter = await TestOwner.start(
    folder.socket,
    'stty -echo raw; printf ready; head -c 1 >/dev/null; seq 1 20000; head -c 1 >/dev/null; seq 20001 40000; exit 7',
  );
  await starter.shows('ready');
  starter.socket.destroy();
  const killed = ownerOf(folder, looksOn);
  const ended = once(killed, 'exit');
  let seen = '';
  killed.stdout.on('data', (part) => {
    seen += part;
  });
  await until('some of it', () => seen.includes('\n100\n'));
  killed.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);

  // What comes at a logout, and from a terminal that closes.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'] as const) host.child.kill(signal);
  using next = await TestOwner.of(folder.socket);
  next.type('g');
  await next.attach();
  expect((await next.next('exit')).frame).toEqual({ type: 'exit', code: 7 });
  const lines = Array.from({ length: 40_000 }, (_, n) => `${n + 1}\n`).join('');
  expect(next.output === `ready${lines}`).toBe(true);

  next.say({ type: 'quit' });
  expect(await once(host.child, 'exit')).toEqual([0, null]);
  expect(host.said()).toBe(ready);
  expect([existsSync(folder.socket), existsSync(join(folder.dir, 'host.json'))]).toEqual([false, false]);
});

test('it ends with its program when its folder is removed', async () => {
  using folder = testFolder();
  using host = await start(folder);
  using owner = await TestOwner.start(folder.socket, 'echo up; read x');
  await owner.shows('up');
  const ended = once(host.child, 'exit');
  rmSync(folder.dir, { recursive: true });
  expect(await ended).toEqual([0, null]);
  expect(isAlive({ pid: owner.all('started')[0]?.frame.pid ?? 0, started: '' })).toBe(false);
});

const leaseMs = 2_000;

/** Has its program write for ever, and says every 100 ms that it may go on. */
const renews = `
const renew = () => link.send({ type: 'lease', ms: ${leaseMs} });
link.send({ type: 'attach' });
link.send({ type: 'input' }, Buffer.from('\\r'));
link.listen(() => {});
setInterval(renew, 100);
link.ended.then(() => process.stdout.write('gone'));
renew();
process.stdout.write('up');
`;

/** A program that writes for ever once it is told to, and one that it has started. */
async function leased(socket: string): Promise<{ owner: TestOwner; pids: number[] }> {
  const owner = await TestOwner.start(socket, 'sleep 1000 & echo "<$!>"; read x; exec yes');
  await owner.shows('>');
  return { owner, pids: [pidOf(owner), Number(/<(\d+)>/.exec(owner.output)?.[1])] };
}

const pidOf = (owner: TestOwner): number => owner.all('started')[0]?.frame.pid ?? 0;

test('it ends with all that its program started when its owner stands still, and not while that renews', async () => {
  const folders = [testFolder(), testFolder(), testFolder()] as const;
  const hosts = await Promise.all(folders.map(start));
  const ends = hosts.map(({ child }) => once(child, 'exit'));
  const [kept, lifted, left] = await Promise.all(folders.map(({ socket }) => leased(socket)));
  kept?.owner.socket.destroy();
  const owner = ownerOf(folders[0], renews);
  try {
    let said = '';
    owner.stdout.on('data', (part) => {
      said += part;
    });
    await until('its first lease', () => said === 'up');
    lifted?.owner.say({ type: 'lease', ms: leaseMs });
    lifted?.owner.say({ type: 'lease' });
    // The clock of this test: said behind the others, and its owner is gone.
    left?.owner.say({ type: 'lease', ms: leaseMs });
    left?.owner.socket.end();
    expect(await ends[2]).toEqual([0, null]);
    expect(left?.pids.map(isRunning)).toEqual([false, false]);
    expect([...(kept?.pids ?? []), ...(lifted?.pids ?? [])].map(isRunning)).toEqual(Array(4).fill(true));

    owner.kill('SIGSTOP');
    expect(await ends[0]).toEqual([0, null]);
    expect(kept?.pids.map(isRunning)).toEqual([false, false]);
    expect(said).toBe('up');
    owner.kill('SIGCONT');
    await until('a word of its owner', () => said === 'upgone');
    expect(lifted?.pids.map(isRunning)).toEqual([true, true]);
  } finally {
    owner.kill('SIGKILL');
    for (const host of hosts) host[Symbol.dispose]();
    for (const folder of folders) folder[Symbol.dispose]();
  }
});

test('what is in its way is said in one line', async () => {
  using folder = testFolder();
  using host = await start({ ...folder, dir: join(folder.dir, 'x'.repeat(200)) });
  await until('its end', () => host.child.exitCode !== null);
  expect(host.child.exitCode).toBe(1);
  expect(JSON.parse(host.said().split('\n')[1] ?? '')).toEqual({ failed: expect.any(String) });
});

test('a spare one waits, and becomes the host that its order names', async () => {
  using folder = testFolder();
  using host = await spare();
  expect(host.said()).toBe('{"waiting":true}\n');
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) host.child.kill(signal);
  host.child.stdin.end(JSON.stringify(folder));
  await until('a host', () => host.said() === ready);
  const file = JSON.parse(readFileSync(join(folder.dir, 'host.json'), 'utf8')) as HostFile;
  expect(file).toMatchObject({ run: folder.run, pid: host.child.pid, socket: folder.socket });
  using owner = await TestOwner.of(folder.socket);
  await owner.attach();
  owner.say({ type: 'quit' });
  expect(await once(host.child, 'exit')).toEqual([0, null]);
});

test('a spare one ends without a word with whoever would have an order for it', async () => {
  using host = await spare();
  host.child.stdin.end();
  expect(await once(host.child, 'exit')).toEqual([0, null]);
  expect(host.said()).toBe('{"waiting":true}\n');
});

test.each([
  ['no JSON', 'x', 'its order is no JSON'],
  ['half of one', '{"dir":"/nowhere"}', 'its order names no folder, run, socket and secret'],
  [
    'one for a folder that is gone',
    '{"dir":"/nowhere/at/all","run":"r1","socket":"/nowhere/at/all/s","secret":"s"}',
    '/nowhere/at/all is not there',
  ],
])('a spare one that gets %s says so, and ends', async (_, order, words) => {
  using host = await spare();
  host.child.stdin.end(order);
  expect(await once(host.child, 'exit')).toEqual([1, null]);
  expect(host.said()).toBe(`{"waiting":true}\n${JSON.stringify({ failed: words })}\n`);
});

test('what it was told is in no argument, no environment and no input that its program can see', async () => {
  using folder = testFolder();
  using host = await start(folder);
  const looks = `env; for each in cmdline environ; do tr '\\0' '\\n' </proc/$PPID/$each; done; readlink /proc/self/fd/0; echo end; read x`;
  using owner = await TestOwner.start(folder.socket, looks);
  await owner.shows('end');
  expect(owner.output).toContain(program);
  expect(owner.output).not.toContain(secret);
  expect(owner.output).not.toContain(folder.dir);
  expect(owner.output).toMatch(/\n\/dev\/pts\/\d+\r\nend/);
  expect(readFileSync(join(folder.dir, 'host.json'), 'utf8')).not.toContain(secret);
  expect(host.said()).toBe(ready);
});
