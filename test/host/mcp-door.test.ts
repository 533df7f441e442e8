// What a program's MCP client says to its host, and hears from it.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HookDoor } from '../../src/host/hooks/hook-door.ts';
import { HookSpool } from '../../src/host/hooks/hook-spool.ts';
import type { HostFrame } from '../../src/protocol/wire/host.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { digest, type Post, post, token } from './support.ts';

let clock: ManualClock;
let spool: HookSpool;
let door: HookDoor;
let frames: HostFrame[];
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  spool = new HookSpool();
  door = await HookDoor.open(spool, clock);
  door.admit(digest);
  frames = [];
  spool.attach((frame) => frames.push(frame));
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await door.close();
});

const say = (asked: Partial<Post> = {}) => post(door.port, { path: '/mcp', ...asked });
const came = (n: number) =>
  until(`message ${n}`, () => frames.some((each) => each.type === 'hook' && each.n === n));

/** A client that reads byte by byte. */
function raw(method: string): { text(): string; shows(part: string): Promise<true> } {
  const socket = connect(door.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => {});
  const body = method === 'POST' ? 'content-length: 2\r\n\r\n{}' : '\r\n';
  socket.write(
    `${method} /mcp HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: Bearer ${token}\r\n${body}`,
  );
  return { text: () => text, shows: (part) => until(part, () => text.includes(part)) };
}

test('a message waits for its owner, whose words are its answer', async () => {
  const answered = say({ body: '{"id":1}' });
  await came(1);
  expect(frames).toEqual([{ type: 'hook', n: 1, event: 'Mcp', kind: 'hold', state: 'open' }]);
  spool.answer(1, Buffer.from('{"id":1,"result":{}}'));
  expect(await answered).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"id":1,"result":{}}',
  });
});

test('an empty answer says that it was taken', async () => {
  const answered = say();
  await came(1);
  spool.answer(1, Buffer.alloc(0));
  expect(await answered).toMatchObject({ status: 202, body: '' });
});

test('without an owner it waits for the next one', async () => {
  spool.detach();
  const answered = say();
  const heard: number[] = [];
  await until('it in the spool', () => {
    spool.attach((frame) => frame.type === 'hook' && heard.push(frame.n));
    if (heard.length === 0) spool.detach();
    return heard.length > 0;
  });
  spool.answer(1, Buffer.from('{}'));
  expect((await answered).status).toBe(200);
});

test('an answer that takes longer than 15 s comes as an event, behind signs of life', async () => {
  const client = raw('POST');
  await came(1);
  clock.advance(14_999);
  spool.answer(99, Buffer.from('of nobody'));
  expect(client.text()).toBe('');
  clock.advance(1);
  await client.shows('text/event-stream');
  clock.advance(15_000);
  await client.shows(': alive');
  spool.answer(1, Buffer.from('{"late":true}'));
  await client.shows('event: message\ndata: {"late":true}\n\n');
  await until('the end of the request', () => frames.some((each) => each.type === 'closed'));
  expect(frames.at(-1)).toEqual({ type: 'closed', hook: 1, state: 'written' });
  expect(clock.timers).toBe(0);
});

test('a client that hangs up is gone, and nothing is left of its signs of life', async () => {
  const hung = new AbortController();
  const asked = say({ signal: hung.signal }).catch(() => 'hung up');
  await came(1);
  hung.abort();
  expect(await asked).toBe('hung up');
  await until('its end', () => frames.some((each) => each.type === 'closed'));
  expect(frames.at(-1)).toEqual({ type: 'closed', hook: 1, state: 'gone' });
  expect(clock.timers).toBe(0);
});

test('an answer that is on its way is not taken for one that takes long', async () => {
  const client = raw('POST');
  await came(1);
  // More than the system takes for a client that does not read.
  sockets[0]?.pause();
  const long = 'x'.repeat(20_000_000);
  spool.answer(1, Buffer.from(long));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  clock.advance(15_000);
  sockets[0]?.resume();
  await until('the answer', () => client.text().length > long.length);
  expect(client.text()).not.toContain('event-stream');
});

test('what is said when the last listener has gone is kept for the next', async () => {
  const gone = raw('GET');
  await gone.shows(': open');
  sockets[0]?.destroy();
  await until('no listener', () => clock.timers === 0);
  door.notices.say(Buffer.from('{"kept":2}'), true);
  await raw('GET').shows('data: {"kept":2}');
});

test('whoever listens hears notices, and the newest that was to be kept', async () => {
  door.notices.say(Buffer.from('{"old":1}'), true);
  door.notices.say(Buffer.from('{"kept":1}'), true);
  door.notices.say(Buffer.from('{"progress":1}'), false);
  const client = raw('GET');
  await client.shows('data: {"kept":1}\n\n');
  expect(client.text()).not.toMatch(/old|progress/);
  door.notices.say(Buffer.from('{"progress":2}'), false);
  await client.shows('data: {"progress":2}\n\n');
  clock.advance(15_000);
  await client.shows(': alive');
  const second = raw('GET');
  await second.shows(': open');
  expect(second.text()).not.toContain('data:');
});

test('only who shows the token gets anything, and only by GET and POST', async () => {
  for (const method of ['GET', 'POST'])
    expect((await say({ method, headers: { authorization: 'Bearer no' } })).status).toBe(401);
  expect(await say({ method: 'DELETE' })).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } });
  expect((await say({ path: '/mcp/more' })).status).toBe(404);
  expect((await say({ headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect(frames).toEqual([]);
});

test('calls that wait take no place from hooks, and there are bounds', async () => {
  const clients = Array.from({ length: 64 }, () => raw('POST'));
  await came(64);
  expect((await say()).status).toBe(429);
  expect((await post(door.port, { path: '/hooks/tell/Stop' })).status).toBe(200);
  const listeners = Array.from({ length: 4 }, () => raw('GET'));
  await Promise.all(listeners.map((each) => each.shows(': open')));
  expect((await say({ method: 'GET', body: '' })).status).toBe(429);
  expect(clients.every((each) => each.text() === '')).toBe(true);
  const [left] = sockets.splice(0, 1);
  left?.destroy();
  await until('a place', () => frames.some((each) => each.type === 'closed'));
  const next = raw('POST');
  await came(66);
  spool.answer(66, Buffer.from('{}'));
  await next.shows('200 OK');
});
