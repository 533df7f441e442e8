// When a host ends, told by a clock that the test moves.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../src/base/process/process-identity.ts';
import { Host } from '../../src/host/host.ts';
import type { HostFile } from '../../src/protocol/wire/host.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { digest, post, secret, shell, type TestHost, TestOwner, testFolder, testHost } from './support.ts';

interface Timed extends TestHost {
  clock: ManualClock;
  /** Whether it has ended. */
  isOver(): boolean;
}

async function timed(): Promise<Timed> {
  const clock = new ManualClock();
  const host = await testHost({ clock, uptime: () => clock.now() });
  let over = false;
  void host.host.closed.then(() => {
    over = true;
  });
  return { ...host, clock, isOver: () => over };
}

const waits = 'echo up; read x';

/** Ends the connection, and waits until the host has seen it. */
async function leave(owner: TestOwner, clock: ManualClock): Promise<void> {
  const timers = clock.timers;
  owner.socket.destroy();
  await until('a deadline', () => clock.timers > timers);
}

/** Says it, or lifts it without `ms`, and waits until the host has heard that. */
async function lease(owner: TestOwner, clock: ManualClock, ms?: number): Promise<void> {
  const { timers } = clock;
  owner.say({ type: 'lease', ...(ms !== undefined && { ms }) });
  await until('a change of deadlines', () => clock.timers !== timers);
}

async function ended(host: Timed, pid?: number): Promise<void> {
  await until('the end of the host', host.isOver);
  expect(existsSync(host.socket)).toBe(false);
  expect(existsSync(join(host.dir, 'host.json'))).toBe(false);
  expect(host.clock.timers).toBe(0);
  if (pid !== undefined) expect(isAlive({ pid, started: '' })).toBe(false);
}

const pidOf = (owner: TestOwner): number => owner.all('started')[0]?.frame.pid ?? 0;

test('where it can be found is written for this user alone, without a secret', async () => {
  await using host = await timed();
  const text = readFileSync(join(host.dir, 'host.json'), 'utf8');
  const file = JSON.parse(text) as HostFile;
  expect(file).toEqual({
    run: expect.any(String),
    pid: process.pid,
    started: expect.any(String),
    socket: host.socket,
  });
  expect(statSync(join(host.dir, 'host.json')).mode & 0o777).toBe(0o600);
  expect(statSync(host.socket).mode & 0o777).toBe(0o600);
});

test('without a program it ends after 30 s, whoever is there', async () => {
  await using host = await timed();
  using _owner = await TestOwner.of(host.socket);
  host.clock.advance(29_999);
  expect(host.isOver()).toBe(false);
  host.clock.advance(1);
  await ended(host);
});

test('it ends a minute after its owner went, and not before', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  host.clock.advance(1_000_000);
  await leave(owner, host.clock);
  host.clock.advance(59_999);
  // An owner who comes back has all the time again.
  using next = await TestOwner.of(host.socket);
  host.clock.advance(1_000_000);
  await next.attach();
  await leave(next, host.clock);
  host.clock.advance(60_000);
  await ended(host, pidOf(owner));
});

test('an owner says how long it stays', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  owner.say({ type: 'keep', ms: 86_400_000 });
  await owner.attach();
  await leave(owner, host.clock);
  host.clock.advance(86_399_999);
  expect(host.isOver()).toBe(false);
  host.clock.advance(1);
  await ended(host, pidOf(owner));
});

test('once the program has ended it stays a minute without an owner, however long it was to stay', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, 'exit 7');
  owner.say({ type: 'keep', ms: 86_400_000 });
  await owner.next('exit');
  host.clock.advance(1_000_000);
  await leave(owner, host.clock);
  host.clock.advance(59_999);
  expect(host.isOver()).toBe(false);
  host.clock.advance(1);
  await ended(host);
});

test('the minute begins with the end of a program that ends while nobody is there', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  await owner.shows('up');
  owner.say({ type: 'keep', ms: 86_400_000 });
  await owner.attach();
  await leave(owner, host.clock);
  host.clock.advance(1_000_000);
  const { timers } = host.clock;
  process.kill(pidOf(owner), 'SIGKILL');
  await until('a deadline', () => host.clock.timers > timers);
  host.clock.advance(59_999);
  expect(host.isOver()).toBe(false);
  host.clock.advance(1);
  await ended(host);
});

test('quit ends a program that goes by itself, and its owner is told', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, `trap 'printf bye; exit 5' TERM; ${waits}`);
  await owner.shows('up');
  await lease(owner, host.clock, 10_000);
  owner.say({ type: 'quit' });
  expect((await owner.next('exit')).frame).toEqual({ type: 'exit', code: 5 });
  expect(owner.output).toContain('bye');
  await owner.gone();
  await ended(host, pidOf(owner));
});

test('quit kills a program that does not go after 2 s', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, `trap '' TERM; ${waits}`);
  await owner.shows('up');
  const { timers } = host.clock;
  owner.say({ type: 'quit' });
  await until('a deadline', () => host.clock.timers > timers);
  host.clock.advance(1_999);
  expect(isAlive({ pid: pidOf(owner), started: '' })).toBe(true);
  host.clock.advance(1);
  expect((await owner.next('exit')).frame).toEqual({ type: 'exit', signal: 9 });
  await ended(host, pidOf(owner));
});

test('a lease that nobody renews is a quit, also while an owner is there, and who wants to stay a day', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, `trap '' TERM; ${waits}`);
  await owner.shows('up');
  owner.say({ type: 'keep', ms: 86_400_000 });
  await lease(owner, host.clock, 10_000);
  host.clock.advance(9_999);
  expect(host.isOver()).toBe(false);
  host.clock.advance(1);
  host.clock.advance(1_999);
  expect(isAlive({ pid: pidOf(owner), started: '' })).toBe(true);
  host.clock.advance(1);
  expect((await owner.next('exit')).frame).toEqual({ type: 'exit', signal: 9 });
  await owner.gone();
  await ended(host, pidOf(owner));
});

test('a lease stays when its owner goes, until the next one renews or lifts it', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  owner.say({ type: 'keep', ms: 86_400_000 });
  await lease(owner, host.clock, 10_000);
  await leave(owner, host.clock);
  host.clock.advance(5_000);
  using next = await TestOwner.of(host.socket);
  next.say({ type: 'lease', ms: 10_000 });
  await next.attach();
  host.clock.advance(9_999);
  await lease(next, host.clock);
  await leave(next, host.clock);
  host.clock.advance(1_000_000);
  expect(host.isOver()).toBe(false);
  using last = await TestOwner.of(host.socket);
  await lease(last, host.clock, 10_000);
  await leave(last, host.clock);
  host.clock.advance(10_000);
  await ended(host, pidOf(owner));
});

test('behind a lease that has run out nothing is started', async () => {
  await using host = await timed();
  using owner = await TestOwner.of(host.socket);
  owner.say({ type: 'lease', ms: 0 });
  owner.say({ type: 'start', token: digest, cols: 80, rows: 24 }, shell(waits));
  await owner.gone();
  expect(owner.all('started')).toEqual([]);
  await ended(host);
});

test('quit after the end of the program is the end of the host', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, 'exit 0');
  await owner.next('exit');
  owner.say({ type: 'quit' });
  await owner.gone();
  await ended(host);
});

test('an orphan that hears no signal is killed after 5 s', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, `trap '' TERM HUP; ${waits}`);
  await owner.shows('up');
  await leave(owner, host.clock);
  host.clock.advance(60_000 + 4_999);
  expect(isAlive({ pid: pidOf(owner), started: '' })).toBe(true);
  host.clock.advance(1);
  await ended(host, pidOf(owner));
});

test('an end closes what is open: hooks, owners, whoever says nothing', async () => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  using silent = new TestOwner(host.socket);
  const held = post(owner.port, { path: '/hooks/hold/PermissionRequest' }).catch(() => 'cut');
  await owner.next('hook');
  owner.say({ type: 'quit' });
  expect(await held).toBe('cut');
  await Promise.all([owner.gone(), silent.gone()]);
  await ended(host, pidOf(owner));
});

test.each<[string, (dir: string) => void]>([
  ['is removed', (dir) => rmSync(join(dir, 'host.json'))],
  ['goes with its folder', (dir) => rmSync(dir, { recursive: true })],
  [
    'is that of another host',
    (dir) => {
      writeFileSync(join(dir, 'new'), '{"run":"another"}', { mode: 0o600 });
      renameSync(join(dir, 'new'), join(dir, 'host.json'));
    },
  ],
])('it ends when its file %s', async (_, change) => {
  await using host = await timed();
  using owner = await TestOwner.start(host.socket, waits);
  change(host.dir);
  await until('the end of the host', host.isOver);
  expect(isAlive({ pid: pidOf(owner), started: '' })).toBe(false);
});

test('a folder that was moved away is missed within a minute', async () => {
  await using host = await timed();
  using _owner = await TestOwner.start(host.socket, waits);
  const away = `${host.dir}-away`;
  renameSync(host.dir, away);
  mkdirSync(host.dir, { mode: 0o700 });
  host.clock.advance(60_000);
  await until('the end of the host', host.isOver);
  rmSync(away, { recursive: true });
});

test('a host that gives way to another leaves the socket and the file of that one', async () => {
  await using first = await timed();
  using _owner = await TestOwner.start(first.socket, waits);
  const second = await Host.open({ dir: first.dir, socket: first.socket, secret, run: 'second' });
  await until('the end of the first', first.isOver);
  using owner = await TestOwner.of(first.socket);
  expect(owner.all('hello')[0]?.frame.run).toBe('second');
  expect(JSON.parse(readFileSync(join(first.dir, 'host.json'), 'utf8'))).toMatchObject({ run: 'second' });
  await second.close();
  expect(existsSync(first.socket)).toBe(false);
});

test.each([{ argv: ['/no/such/program'] }, { cwd: '/no/such/folder' }])(
  'what cannot be started is told in words, and the host ends: %o',
  async (part) => {
    await using host = await timed();
    using owner = await TestOwner.of(host.socket);
    const spec = { ...JSON.parse(shell(':').toString()), ...part };
    owner.say({ type: 'start', token: digest, cols: 80, rows: 24 }, Buffer.from(JSON.stringify(spec)));
    expect((await owner.next('failed')).frame.words).toContain('/no/such/');
    await owner.gone();
    await ended(host);
  },
);

test('without its folder it does not open, and makes none', async () => {
  using folder = testFolder();
  const dir = join(folder.dir, 'removed');
  await expect(Host.open({ ...folder, dir })).rejects.toThrow('is not there');
  expect(existsSync(dir)).toBe(false);
});
