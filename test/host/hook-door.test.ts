import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/base/secret.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { HookDoor } from '../../src/host/hooks/hook-door.ts';
import { HookSpool } from '../../src/host/hooks/hook-spool.ts';
import type { HostFrame } from '../../src/protocol/wire/host.ts';
import { manyClients } from '../support/many-clients.ts';
import { until } from '../support/until.ts';
import { digest, type Post, post, token } from './support.ts';

const MiB = 1024 * 1024;

async function open(spool = new HookSpool()) {
  const door = await HookDoor.open(spool, systemClock);
  door.admit(digest);
  return {
    door,
    spool,
    post: (asked: Post) => post(door.port, asked),
    [Symbol.asyncDispose]: () => door.close(),
  };
}

let shared: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  shared = await open();
});
afterAll(() => shared.door.close());

const told = '/hooks/tell/Stop';

test('a hook is kept as it came, byte for byte, and answered with {}', async () => {
  const seen: [HostFrame, string][] = [];
  shared.spool.attach((frame, bytes) => seen.push([frame, Buffer.from(bytes ?? []).toString()]));
  const body = '{"text": "grüße",\n "n": 1}';
  expect(await shared.post({ path: '/hooks/tell/PostToolUse', body })).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'content-length': '2' },
    body: '{}',
  });
  const frame = { type: 'hook', n: 1, event: 'PostToolUse', kind: 'tell', state: 'alone' };
  expect(seen).toEqual([[frame, body]]);
  shared.spool.detach();
});

test('its owner is sent a hook before Claude Code is answered', async () => {
  await using own = await open();
  const order: string[] = [];
  // As a link does: what is sent in one turn of the event loop goes to the system at its end.
  own.spool.attach(() => process.nextTick(() => order.push('owner')));
  const began = (message: unknown) =>
    (message as { response: ServerResponse }).response.once('prefinish', () => order.push('Claude Code'));
  subscribe('http.server.request.start', began);
  try {
    await own.post({ path: told });
  } finally {
    unsubscribe('http.server.request.start', began);
  }
  expect(order).toEqual(['owner', 'Claude Code']);
});

const port = () => String(shared.door.port);
test.each<[string, () => Post, number]>([
  ['a Host that is elsewhere', () => ({ path: told, headers: { host: `evil.example:${port()}` } }), 403],
  ['a page of a browser', () => ({ path: told, headers: { origin: `http://127.0.0.1:${port()}` } }), 403],
  ['another token', () => ({ path: told, headers: { authorization: `Bearer ${token}x` } }), 401],
  ['no token', () => ({ path: told, headers: { authorization: '' } }), 401],
  [
    'a token behind other words',
    () => ({ path: told, headers: { authorization: `Basic Bearer ${token}` } }),
    401,
  ],
  ['the digest in place of the token', () => ({ path: told, headers: { authorization: digest } }), 401],
  ['a kind that is none', () => ({ path: '/hooks/shout/Stop' }), 404],
  ['an event that is none', () => ({ path: '/hooks/tell/Stop.1' }), 404],
  ['an event that is too long', () => ({ path: `/hooks/tell/${'a'.repeat(41)}` }), 404],
  ['a path below', () => ({ path: '/hooks/tell/Stop/x' }), 404],
  ['a path above', () => ({ path: `/x${told}` }), 404],
  ['another path', () => ({ path: '/' }), 404],
  [
    'a body that says it is too long',
    () => ({ path: told, headers: { 'content-length': `${8 * MiB + 1}` } }),
    413,
  ],
])('%s is refused', async (_, asked, status) => {
  const before = countOf(shared.spool);
  const refused = await shared.post(asked());
  expect(refused).toMatchObject({ status, body: '{}', headers: { 'content-type': 'application/json' } });
  expect(countOf(shared.spool)).toBe(before);
});

test('another method is refused, and told which one is taken', async () => {
  const refused = await shared.post({ path: told, method: 'PUT' });
  expect(refused).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});

test('what is left of a body that is too long is not waited for', async () => {
  const socket = connect(shared.door.port, '127.0.0.1');
  const said = once(socket, 'data');
  socket.write(
    `POST ${told} HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nauthorization: Bearer ${token}\r\n` +
      `content-length: ${8 * MiB + 1}\r\n\r\n`,
  );
  const [answer] = await said;
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 [\s\S]*\r\nconnection: close\r\n/);
  await once(socket, 'close');
});

test('what is no HTTP is hung up on without a word', async () => {
  const socket = connect(shared.door.port, '127.0.0.1');
  const said: Buffer[] = [];
  socket.on('data', (bytes) => said.push(bytes)).on('error', () => {});
  socket.write('nothing of the kind\r\n\r\n');
  await once(socket, 'close');
  expect(Buffer.concat(said).toString()).toBe('');
});

test('no other address leads to it', async () => {
  const socket = connect(shared.door.port, '127.0.0.2');
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('the longest body is taken, and one byte more is not, whatever it said of its length', async () => {
  const chunked = { 'transfer-encoding': 'chunked' };
  const ask = (length: number) => shared.post({ path: told, headers: chunked, body: Buffer.alloc(length) });
  expect((await ask(8 * MiB)).status).toBe(200);
  expect(
    await ask(8 * MiB + 1).then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
});

test('before it knows a token nobody is let in', async () => {
  const door = await HookDoor.open(new HookSpool(), systemClock);
  for (const authorization of [`Bearer ${token}`, 'Bearer ', '']) {
    expect((await post(door.port, { path: told, headers: { authorization } })).status).toBe(401);
  }
  await door.close();
});

test('no token is never the right one, not even where the right one is empty', async () => {
  const door = await HookDoor.open(new HookSpool(), systemClock);
  door.admit(sha256('').toString('hex'));
  expect((await post(door.port, { path: told, headers: { authorization: '' } })).status).toBe(401);
  await door.close();
});

test('the 65th hook that is under way has to come again, until another one is over', async () => {
  await using crowded = await open();
  const hung = new AbortController();
  const held = Array.from({ length: 64 }, (_, n) =>
    crowded
      .post({ path: '/hooks/hold/PermissionRequest', ...(n === 0 && { signal: hung.signal }) })
      .catch(() => undefined),
  );
  await until('64 of them', () => countOf(crowded.spool) === 64);
  expect(await crowded.post({ path: told })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1' },
    body: '{}',
  });
  hung.abort();
  await until('a place', async () => (await crowded.post({ path: told })).status === 200);
  await crowded.door.close();
  await Promise.all(held);
});

test('an answer is told as written once it is; a client that hangs up is gone', async () => {
  await using opened = await open();
  const { spool, post: ask } = opened;
  const seen: HostFrame[] = [];
  spool.attach((frame) => seen.push(frame));
  const held = ask({ path: '/hooks/hold/PermissionRequest' });
  await until('the first', () => seen.length === 1);
  spool.answer(1, Buffer.from('{"allow":true}'));
  spool.answer(1, Buffer.from('{"allow":false}'));
  expect((await held).body).toBe('{"allow":true}');
  const hung = new AbortController();
  const left = ask({ path: '/hooks/ask/PreToolUse', signal: hung.signal }).catch(() => undefined);
  await until('the second', () =>
    seen.some(({ type, ...rest }) => type === 'hook' && 'n' in rest && rest.n === 2),
  );
  hung.abort();
  await left;
  await until('its end', () => seen.length === 4);
  expect(seen.slice(-1)).toEqual([{ type: 'closed', hook: 2, state: 'gone' }]);
  expect(seen).toContainEqual({ type: 'closed', hook: 1, state: 'written' });
});

test('what there is no room for is refused and counted, and a body that breaks off gives its room back', async () => {
  await using opened = await open(new HookSpool(100_000));
  const { spool, post: ask, door } = opened;
  const cut = connect(door.port, '127.0.0.1');
  cut.write(
    `POST ${told} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: Bearer ${token}\r\n` +
      `content-length: 90000\r\n\r\n${'x'.repeat(80_000)}`,
  );
  await until('most of it', () => {
    const isFree = spool.reserve(30_000);
    if (isFree) spool.release(30_000);
    return !isFree;
  });
  expect(await ask({ path: told, body: Buffer.alloc(30_000) })).toMatchObject({ status: 503, body: '{}' });
  expect(spool.lost).toBe(1);
  cut.destroy();
  await until('room', async () => (await ask({ path: told, body: Buffer.alloc(99_000) })).status === 200);
  // Beside its body it costs something itself.
  expect(spool.reserve(1_000)).toBe(false);
  expect(spool.reserve(488)).toBe(true);
  expect((await ask({ path: told, body: '' })).status).toBe(503);
});

test('a stranger too many ends the oldest one, once it has had its time, and nobody with a token', async () => {
  await using opened = await open();
  const { door } = opened;
  const dial = async () => {
    const socket = connect(door.port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const proven = await dial();
  proven.write(
    `POST ${told} HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: Bearer ${token}\r\ncontent-length: 2\r\n\r\n{}`,
  );
  await once(proven, 'data');
  const oldest = await dial();
  const ended = once(oldest, 'close');
  const others: Socket[] = [];
  for (let n = 0; n < 64; n += 1) others.push(await dial());
  await ended;
  await until('what is left', () => others.every((socket) => !socket.destroyed) && !proven.destroyed);
  for (const socket of [proven, ...others]) socket.destroy();
});

test('of 300 connections with the token at once none is reset', async () => {
  await using opened = await open();
  const { port } = opened.door;
  const says = `POST /elsewhere HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const answers = await manyClients({ to: { port }, count: 300, says, answer: /^HTTP\/1\.1 (\d+)/ });
  expect(answers).toEqual({ 404: 300 });
});

/** Hooks that are kept. */
function countOf(spool: HookSpool): number {
  let count = 0;
  spool.attach(() => {
    count += 1;
  });
  spool.detach();
  return count;
}
