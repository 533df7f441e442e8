// Whose channel a socket is: what each wrong beginning is answered with, and that only the right one counts as proved.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hashId } from '../../../../src/base/digest.ts';
import { jsonLog } from '../../../../src/base/log.ts';
import { ChannelLink } from '../../../../src/bridge/claude/channel/channel-link.ts';
import { ChannelServer } from '../../../../src/bridge/claude/channel/channel-server.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

let clock: ManualClock;
let server: WebSocketServer;
let link: ChannelLink;
let lines: string[];
let proved: number;
/** What the server's own end is doing. */
let accepted: WebSocket | undefined;

beforeEach(async () => {
  clock = new ManualClock();
  lines = [];
  proved = 0;
  const log = jsonLog({ write: (line) => lines.push(line), wall: () => 0, level: 'debug' });
  const nothing = () => {};
  link = new ChannelLink([], {
    clock,
    log,
    inboundLimit: 2,
    events: {
      report: nothing,
      called: nothing,
      toolsListed: nothing,
      written: nothing,
      asked: nothing,
      changed: nothing,
    },
  });
  const tokens: Record<string, string> = { k: 'secret', other: 'secret of the other' };
  const door = new ChannelServer({
    clock,
    log,
    find: (key) => (tokens[key] === undefined ? undefined : { digest: hashId(tokens[key], 64), link }),
  });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 2_000 });
  server.on('connection', (socket) => {
    accepted = socket;
    door.accept(socket, () => {
      proved += 1;
    });
  });
  await once(server, 'listening');
});
afterEach(async () => {
  link.close();
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends the first frame and waits for what comes of it. */
async function begin(first?: string | Buffer) {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const frames: { type: string }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  await once(socket, 'open');
  await until('the server to accept', () => clock.timers > 0);
  if (first !== undefined) socket.send(first);
  const ended = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason), frames }));
  return { socket, frames, ended };
}

const hello = (more: object = {}) =>
  JSON.stringify({
    type: 'hello',
    openclaw_session: 'k',
    claude_session: 'c',
    pid: 7,
    token: 'secret',
    ...more,
  });

test('the hello of a session with its token is let in, and counts as proved', async () => {
  const { frames } = await begin(hello());
  await until('the answer', () => frames.some(({ type }) => type === 'hello_ack'));
  expect([proved, link.pid]).toEqual([1, 7]);
  clock.advance(3_000);
  expect([accepted?.readyState, frames.some(({ type }) => type === 'error')]).toEqual([
    WebSocket.OPEN,
    false,
  ]);
});

test.each<[string, string | Buffer, number, string, string]>([
  ['a wrong token', hello({ token: 'guess' }), 4401, 'bad_token', 'the token is not this session’s'],
  [
    'the token of another session',
    hello({ openclaw_session: 'other' }),
    4401,
    'bad_token',
    'the token is not this session’s',
  ],
  [
    'a session that does not run',
    hello({ openclaw_session: 'x' }),
    4404,
    'unknown_session',
    'no such session runs here',
  ],
  ['a hello without a token', hello({ token: '' }), 4400, 'bad_frame', 'the first frame must be a hello'],
  ['no hello', '{"type":"ping","ts":1}', 4400, 'bad_frame', 'the first frame must be a hello'],
  ['no JSON', 'hello', 4400, 'bad_frame', 'the first frame must be a hello'],
  ['a binary hello', Buffer.from(hello()), 4400, 'bad_frame', 'the first frame must be a hello'],
])('%s is refused with a reason, and proves nothing', async (_, first, code, name, words) => {
  const { ended } = await begin(first);
  expect(await ended).toEqual({
    code,
    reason: words,
    frames: [{ type: 'error', code: name, message: words }],
  });
  expect([proved, link.connected, clock.timers]).toEqual([0, false, 0]);
});

test('who says nothing for 3 s is hung up on, and not a moment before', async () => {
  const { ended } = await begin();
  clock.advance(2_999);
  expect(accepted?.readyState).toBe(WebSocket.OPEN);
  clock.advance(1);
  expect(await ended).toMatchObject({
    code: 4408,
    reason: 'no hello within the time',
    frames: [{ code: 'hello_timeout', message: 'no hello within the time' }],
  });
});

test('who leaves before the hello is not waited for', async () => {
  const { socket } = await begin();
  socket.terminate();
  await until('the end', () => clock.timers === 0);
  expect(proved).toBe(0);
});

test('a frame above the limit ends that connection, and the bridge goes on', async () => {
  const { ended } = await begin('x'.repeat(2_001));
  expect((await ended).code).toBe(1009);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'debug', message: 'channel socket error', error: { message: expect.stringContaining('size') } },
  ]);
});
