import { expect, test } from 'vitest';
import type { OwnerFrame } from '../../src/protocol/wire/host.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { digest, post, shell, TestOwner, testHost } from './support.ts';

test('output flows after attach, and not before', async () => {
  await using host = await testHost();
  using owner = await TestOwner.of(host.socket);
  owner.say(
    { type: 'start', token: digest, cols: 80, rows: 24 },
    shell('echo early; read x; echo late; read x'),
  );
  await owner.next('started');
  owner.socket.destroy();
  await until('output that nobody has asked for', async () => {
    using look = await TestOwner.of(host.socket);
    return (look.all('hello')[0]?.frame.program?.at ?? 0) > 0;
  });
  using third = await TestOwner.of(host.socket);
  expect([owner.all('output'), third.all('output')]).toEqual([[], []]);
  await third.attach();
  expect(third.output).toBe('early\r\n');
  third.type('\r');
  await third.shows('late');
});

test('the replay is snapshot, hooks, output, exit, attached, and the exit code is kept for every owner', async () => {
  await using host = await testHost();
  using first = await TestOwner.start(host.socket, 'printf "onetwo"; read x; printf "three"; exit 7');
  await first.shows('onetwo');
  await post(first.port, { path: '/hooks/tell/Stop', body: '{"a":1}' });
  first.say({ type: 'checkpoint', at: 3, cols: 80, rows: 24 }, Buffer.from('[one]'));
  first.type('\r');
  expect((await first.next('exit')).frame).toEqual({ type: 'exit', code: 7 });
  first.socket.destroy();
  for (const again of [1, 2]) {
    using next = await TestOwner.of(host.socket);
    expect(next.all('hello')[0]?.frame.program, `owner ${again}`).toMatchObject({ exit: { code: 7 } });
    await next.attach();
    const [, snapshot, hook, ...rest] = next.seen;
    expect(snapshot).toEqual({
      frame: { type: 'snapshot', at: 3, cols: 80, rows: 24 },
      bytes: Buffer.from('[one]'),
    });
    expect(hook).toEqual({
      frame: { type: 'hook', n: 1, event: 'Stop', kind: 'tell', state: 'alone' },
      bytes: Buffer.from('{"a":1}'),
    });
    expect(rest.map(({ frame }) => frame.type)).toEqual(['output', 'exit', 'attached']);
    expect(next.all('output')[0]?.frame.at).toBe(3);
    expect(next.output).toMatch(/^two.*three$/s);
    expect(next.all('attached')[0]?.frame.at).toBe(3 + Buffer.byteLength(next.output));
  }
});

test('an exit by signal is told as one', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, 'echo up; read x');
  await owner.shows('up');
  owner.say({ type: 'kill', signal: 'SIGKILL', all: false });
  expect((await owner.next('exit')).frame).toEqual({ type: 'exit', signal: 9 });
  owner.say({ type: 'kill', signal: 'SIGTERM', all: true });
  owner.say({ type: 'resize', cols: 10, rows: 10 });
  owner.type('x');
  await owner.attach();
  expect(owner.isClosed).toBe(false);
});

const echoes = 'stty -echo; echo ready; while read x; do echo "<$x>"; done';

test('an owner that lives is displaced by nobody: who comes waits, is told so, and acts on nothing', async () => {
  const clock = new ManualClock();
  await using host = await testHost({ clock });
  using owner = await TestOwner.start(host.socket, echoes);
  await owner.shows('ready');
  const { timers } = clock;
  using next = await TestOwner.proven(host.socket);
  await next.next('wait');
  for (let asked = 1; asked <= 3; asked += 1) {
    await until('a ping', () => owner.all('ping').length === asked);
    owner.say({ type: 'pong' });
    owner.type(`${asked}\r`);
    await owner.shows(`<${asked}>`);
    clock.advance(3_000);
  }
  expect([owner.isClosed, next.isClosed, next.seen.length]).toEqual([false, false, 1]);
  clock.advance(1_000);
  await next.gone();
  owner.type('still\r');
  await owner.shows('<still>');
  expect(clock.timers).toBe(timers);
});

test('one that waits says a word too early, and has lost its place', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, echoes);
  await owner.shows('ready');
  using next = await TestOwner.proven(host.socket);
  await next.next('wait');
  next.type('early\r');
  await next.gone();
  owner.type('mine\r');
  await owner.shows('<mine>');
  expect(owner.output).not.toContain('early');
});

test('those who wait come in their order, when the owner before has gone', async () => {
  await using host = await testHost();
  using first = await TestOwner.start(host.socket, echoes);
  await first.shows('ready');
  const waiting = [await TestOwner.proven(host.socket), await TestOwner.proven(host.socket)];
  for (const each of waiting) await each.next('wait');
  let before = first;
  for (const each of waiting) {
    expect(each.all('hello')).toEqual([]);
    before.socket.destroy();
    await each.next('hello');
    await each.attach();
    before = each;
  }
  before.type('mine\r');
  await before.shows('<mine>');
  before.socket.destroy();
});

test('an owner that does not answer for 3 s is taken for dead: what it says later, or had said by half, is not typed', async () => {
  const clock = new ManualClock();
  await using host = await testHost({ clock });
  using old = await TestOwner.start(host.socket, echoes);
  await old.shows('ready');
  const half = old.encoded({ type: 'input' }, Buffer.from('by-half\r'));
  old.socket.write(half.subarray(0, 20));
  using next = await TestOwner.proven(host.socket);
  await next.next('wait');
  await old.next('ping');
  clock.advance(2_999);
  expect(next.all('hello')).toEqual([]);
  clock.advance(1);
  await next.next('hello');
  old.socket.write(half.subarray(20));
  await old.gone();
  await next.attach();
  next.type('mine\r');
  await next.shows('<mine>');
  expect(next.output).not.toContain('by-half');
});

test('nothing behind a frame that costs the connection is acted on', async () => {
  await using host = await testHost();
  using old = await TestOwner.start(
    host.socket,
    'stty -echo; echo ready; while read x; do echo "<$x>"; done',
  );
  await old.shows('ready');
  const second = old.encoded({ type: 'proof', proof: digest });
  old.socket.write(Buffer.concat([second, old.encoded({ type: 'input' }, Buffer.from('buffered\r'))]));
  await old.gone();
  using next = await TestOwner.of(host.socket);
  await next.attach();
  next.type('mine\r');
  await next.shows('<mine>');
  expect(next.output).not.toContain('buffered');
});

test('an input with the number of the newest is typed once, by whomever it is repeated', async () => {
  await using host = await testHost();
  using old = await TestOwner.start(
    host.socket,
    'stty -echo; echo ready; while read x; do echo "<$x>"; done',
  );
  await old.shows('ready');
  old.type('one\r', 't1');
  old.type('one\r', 't1');
  await old.shows('<one>');
  old.socket.destroy();
  using next = await TestOwner.of(host.socket);
  expect(next.all('hello')[0]?.frame.program?.typed).toBe('t1');
  await next.attach();
  next.type('one\r', 't1');
  next.type('free\r');
  next.type('two\r', 't2');
  next.type('one\r', 't1');
  await until('all of it', () => next.output.split('<one>').length === 3);
  expect(next.output.match(/<\w+>/g)).toEqual(['<one>', '<free>', '<two>', '<one>']);
});

test('output that was too much to keep is a gap that the offsets tell', async () => {
  await using host = await testHost();
  using first = await TestOwner.start(
    host.socket,
    'stty raw -echo; printf ready; head -c 1 >/dev/null; head -c 3000000 /dev/zero | tr "\\0" x; printf end; read x',
  );
  await first.shows('ready');
  first.type('g');
  first.socket.destroy();
  const at = 3_000_008;
  await until('all output', async () => {
    using look = await TestOwner.of(host.socket);
    return look.all('hello')[0]?.frame.program?.at === at;
  });
  using next = await TestOwner.of(host.socket);
  await next.attach();
  expect(next.all('output')[0]?.frame.at).toBe(at - 1024 * 1024);
  expect(next.output.length).toBe(1024 * 1024);
  expect(next.output.endsWith('xend')).toBe(true);
});

const lots = 'stty raw -echo; printf ready; head -c 1 >/dev/null; seq 1 600000; exit 7';
const lines = Array.from({ length: 600_000 }, (_, n) => `${n + 1}\n`).join('');

/** What an upper bound needs to be broken. */
async function aWhile(): Promise<void> {
  let looks = 0;
  await until('a while', () => {
    looks += 1;
    return looks > 30;
  });
}

test('an owner that reads slowly loses nothing', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, lots);
  await owner.shows('ready');
  owner.socket.pause();
  owner.type('g');
  await aWhile();
  owner.socket.resume();
  expect((await owner.next('exit')).frame).toEqual({ type: 'exit', code: 7 });
  expect(owner.output === `ready${lines}`).toBe(true);
});

test('the program waits for an owner that does not read, and for nobody once that one is gone', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, lots);
  await owner.shows('ready');
  owner.socket.pause();
  owner.type('g');
  await aWhile();
  owner.socket.destroy();
  using next = await TestOwner.of(host.socket);
  const program = next.all('hello')[0]?.frame.program;
  expect(program?.at).toBeLessThan(2.5 * 1024 * 1024);
  expect(program?.exit).toBeUndefined();
  next.socket.destroy();
  await until('the end', async () => {
    using look = await TestOwner.of(host.socket);
    return look.all('hello')[0]?.frame.program?.exit;
  });
  using last = await TestOwner.of(host.socket);
  await last.attach();
  expect(last.output === lines.slice(-1024 * 1024)).toBe(true);
});

test('hooks are still taken while the program waits for its owner', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, lots);
  await owner.shows('ready');
  owner.socket.pause();
  owner.type('g');
  await aWhile();
  expect((await post(owner.port, { path: '/hooks/tell/Stop' })).status).toBe(200);
  owner.socket.resume();
  await owner.next('hook');
});

test.each<[string, OwnerFrame, Buffer?]>([
  ['a second hello', { type: 'hello', versions: [2], nonce: digest }],
  ['a size in words', { type: 'resize', cols: 'wide', rows: 1 } as never],
  ['a lease in words', { type: 'lease', ms: 'long' } as never],
  ['a start of nothing', { type: 'start', token: digest, cols: 80, rows: 24 }],
  ['a token that is no digest', { type: 'start', token: 'x', cols: 80, rows: 24 }, shell(':')],
  ['a memo that is too long', { type: 'memo' }, Buffer.alloc(64 * 1024 + 1)],
])('%s costs the owner its connection, and the host goes on', async (_, frame, bytes) => {
  await using host = await testHost();
  using owner = await TestOwner.of(host.socket);
  owner.say(frame, bytes);
  await owner.gone();
  using next = await TestOwner.of(host.socket);
  await next.attach();
});

test('a memo is for the next owner', async () => {
  await using host = await testHost();
  using owner = await TestOwner.of(host.socket);
  owner.say({ type: 'memo' }, Buffer.from('older'));
  owner.say({ type: 'memo' }, Buffer.from('what I know'));
  await owner.attach();
  owner.socket.destroy();
  using next = await TestOwner.of(host.socket);
  expect(next.all('hello')[0]?.bytes.toString()).toBe('what I know');
  expect(owner.all('hello')[0]?.bytes.length).toBe(0);
});

test('a second start changes nothing and tells the pid of the first', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(host.socket, 'echo first; read x');
  owner.say({ type: 'start', token: '0'.repeat(64), cols: 10, rows: 10 }, shell('echo second'));
  await until('a second answer', () => owner.all('started').length === 2);
  const [first, second] = owner.all('started');
  expect(second).toEqual(first);
  owner.socket.destroy();
  using next = await TestOwner.of(host.socket);
  expect(next.all('hello')[0]?.frame).toMatchObject({ token: digest, program: { cols: 80, rows: 24 } });
});

test('a new size reaches the program; what is no size does nothing', async () => {
  await using host = await testHost();
  using owner = await TestOwner.start(
    host.socket,
    'trap "stty size" WINCH; echo up; while :; do read x; done',
  );
  await owner.shows('up');
  for (const [cols, rows] of [
    [0, 5],
    [-1, 5],
    [1e9, 5],
    [60, 10],
  ] as const) {
    owner.say({ type: 'resize', cols, rows });
  }
  owner.type('\r');
  await owner.shows('10 60');
});
