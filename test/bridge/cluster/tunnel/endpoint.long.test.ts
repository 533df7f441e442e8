// Tunnels over real nats-servers: what they carry, what they refuse, and what is left when they are closed.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { decodeFrame, encodeFrame, type Frame } from '../../../../src/bridge/cluster/tunnel/frame.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { NatsServers } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { http, Node, tunnel } from '../support/nodes.ts';

let servers: NatsServers;
beforeAll(async () => {
  servers = await NatsServers.start();
});
afterAll(() => servers[Symbol.asyncDispose]());

const node = (options?: Parameters<typeof Node.start>[1]) => Node.start(servers.urls, options);
/** What the client of a connection keeps. */
const kept = ({ connection }: Node) =>
  (
    connection as unknown as {
      protocol: {
        subscriptions: { size(): number };
        listeners: unknown[];
        transport: { socket: Socket };
      };
    }
  ).protocol;
const subscriptions = (node: Node) => kept(node).subscriptions.size();

const words = (error: unknown) => ({ code: (error as { code: string }).code, said: String(error) });

test('20 MB go through a server of node:http and come back, and no tunnel is left', async () => {
  await using one = await node();
  await using two = await node();
  const server = createServer((incoming, outgoing) => void pipeline(incoming, outgoing));
  two.endpoint.listen('n.two', (duplex) => void server.emit('connection', duplex));
  await two.connection.flush();
  const duplex = await one.endpoint.dial('n.two', http, 5_000);
  const asked = request({ method: 'POST', createConnection: () => duplex });
  const body = randomBytes(20_000_000);
  asked.end(body);
  const [answer] = await once(asked, 'response');
  expect((await buffer(answer)).equals(body)).toBe(true);
  await until('both ends to be done', () => one.endpoint.size + two.endpoint.size === 0);
});

test('many requests side by side, each in a tunnel of its own, and no subscription for it', async () => {
  await using one = await node();
  await using two = await node();
  const server = createServer((incoming, outgoing) => outgoing.end(`you asked for ${incoming.url}`));
  two.endpoint.listen('n.many', (duplex) => void server.emit('connection', duplex));
  await two.connection.flush();
  const ask = async (path: string) => {
    const duplex = await one.endpoint.dial('n.many', http, 10_000);
    const asked = request({ path, createConnection: () => duplex });
    asked.end();
    const [answer] = await once(asked, 'response');
    return String(await buffer(answer));
  };
  const paths = Array.from({ length: 200 }, (_, n) => `/${n}`);
  const before = [subscriptions(one), subscriptions(two)];
  const answers = Promise.all(paths.map(ask));
  await until('tunnels', () => one.endpoint.size > 10);
  expect([subscriptions(one), subscriptions(two)]).toEqual(before);
  expect(await answers).toEqual(paths.map((path) => `you asked for ${path}`));
  await until('all ends to be done', () => one.endpoint.size + two.endpoint.size === 0);
});

test('a reader that stops holds the writer, and the bytes go on when it reads', async () => {
  await using one = await node();
  await using two = await node();
  const [from, to] = await tunnel(one, two, 'n.slow');
  let pulled = 0;
  const all = 50_000_000;
  const hash = createHash('sha256');
  const source = new Readable({
    read() {
      const chunk = randomBytes(Math.min(16_384, all - pulled));
      pulled += chunk.length;
      hash.update(chunk);
      this.push(chunk.length > 0 ? chunk : null);
    },
  });
  source.pipe(from);
  await until('the window to be full', () => to.readableLength >= 256 * 1024);
  await one.connection.flush();
  expect(to.readableLength).toBe(256 * 1024);
  expect(pulled).toBeLessThan(1_000_000);
  const read = createHash('sha256');
  for await (const chunk of to) read.update(chunk);
  expect(read.digest('hex')).toBe(hash.digest('hex'));
});

test('nobody listens: that is said at once, also where a dial may wait long', async () => {
  await using one = await node({ clock: new ManualClock() });
  const error = await one.endpoint.dial('n.nobody', http, 60_000).catch(words);
  expect(error).toEqual({
    code: 'no_listener',
    said: 'TunnelError: No node listens there. It may be away.',
  });
});

test('somebody listens and does not answer: the dial ends when its time is over, without a timer left', async () => {
  const clock = new ManualClock();
  await using one = await node({ clock });
  await using two = await node();
  let hellos = 0;
  two.connection.subscribe('n.dumb', { callback: () => void hellos++ });
  await two.connection.flush();
  const dialled = one.endpoint.dial('n.dumb', http, 5_000).catch(words);
  clock.advance(4_999);
  await until('the hello to be said again and again', () => hellos === 5);
  clock.advance(1);
  expect(await dialled).toMatchObject({ code: 'timeout' });
  clock.advance(250);
  expect(clock.timers).toBe(0);
});

test.each([
  ['an unknown version', '{"version":2,"service":"http","from":"x"}', 'asked for 2'],
  [
    'an unknown service',
    '{"version":1,"service":"shell","from":"x"}',
    'none of the services control and http',
  ],
  ['no name', '{"version":1,"service":"http"}', 'names no node'],
  ['no version', '{"service":"http","from":"x"}', 'no version'],
  ['no JSON', '{{', 'not JSON'],
  ['nothing', '', 'not JSON'],
  ['far too much', 'x'.repeat(100_000), '1000 bytes at most'],
])('a hello with %s is refused in words', async (_what, hello, why) => {
  await using two = await node();
  await using stranger = await node();
  two.endpoint.listen('n.door', () => expect.fail('it was accepted'));
  await two.connection.flush();
  const answer = await stranger.connection.request('n.door', hello);
  expect(answer.json()).toEqual({ kind: 'refusal', words: expect.stringContaining(why) });
  expect(two.endpoint.size).toBe(0);
});

test('a flood of hellos is refused in words, and a place that becomes free is given away', async () => {
  await using one = await node();
  await using two = await node({ mostAccepted: 3 });
  two.endpoint.listen('n.full', () => {});
  await two.connection.flush();
  const dial = () => one.endpoint.dial('n.full', http, 10_000);
  const open = await Promise.all([dial(), dial(), dial()]);
  const refused = await Promise.all(Array.from({ length: 20 }, () => dial().catch(words)));
  expect(new Set(refused.map((each) => JSON.stringify(each)))).toEqual(
    new Set([
      JSON.stringify({
        code: 'refused',
        said: 'TunnelError: This node has 3 tunnels open. Try again later.',
      }),
    ]),
  );
  expect(two.endpoint.size).toBe(3);
  open[0]?.destroy();
  await until('a place', () => two.endpoint.size === 2);
  await expect(dial()).resolves.toBeDefined();
});

test('a hello that is said twice opens one tunnel; an answer is asked for on no other subject than an inbox', async () => {
  await using two = await node();
  await using stranger = await node();
  let accepted = 0;
  two.endpoint.listen('n.twice', () => {
    accepted += 1;
  });
  await two.connection.flush();
  const heard: string[] = [];
  stranger.connection.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
  await stranger.connection.flush();
  const hello = JSON.stringify({ version: 1, ...http });
  for (const reply of ['_INBOX.me', '_INBOX.me', 'n.twice', '_INBOX.*', '$JS.API.INFO']) {
    stranger.connection.publish('n.twice', hello, { reply });
  }
  await stranger.connection.flush();
  await until('both answers', () => heard.filter((subject) => subject === '_INBOX.me').length === 2);
  await two.connection.flush();
  await stranger.connection.flush();
  expect(heard.filter((subject) => subject !== '_INBOX.me')).toEqual(Array(5).fill('n.twice'));
  expect(accepted).toBe(1);
});

/** Listens as a node does, and says to each hello what the test says. */
async function strangers(stranger: Node, subject: string, ...answers: Frame[]): Promise<void> {
  stranger.connection.subscribe(subject, {
    callback: (_error, message) => {
      for (const frame of answers) message.respond(encodeFrame(frame));
    },
  });
  await stranger.connection.flush();
}

test('a node that answers with something else than its inbox is not told a byte', async () => {
  const clock = new ManualClock();
  await using one = await node({ clock });
  await using stranger = await node();
  const welcomes = ['$JS.API.INFO', '_INBOX.>', '_INBOX.a b', ''].map((inbox) => ({
    kind: 'welcome' as const,
    inbox,
  }));
  await strangers(stranger, 'n.liar', ...welcomes, { kind: 'ack', received: 0, limit: 9, gap: false });
  const dialled = one.endpoint.dial('n.liar', http, 5_000).catch(words);
  await one.connection.flush();
  await stranger.connection.flush();
  await one.connection.flush();
  clock.advance(5_000);
  expect(await dialled).toMatchObject({ code: 'timeout' });
});

test('a node that answers twice is believed once; bytes that nobody acknowledges end with the node', async () => {
  await using one = await node({ clock: new ManualClock() });
  await using stranger = await node();
  const heard: Frame['kind'][] = [];
  stranger.connection.subscribe('_INBOX.stranger', {
    callback: (_error, { data }) => void heard.push(decodeFrame(data)?.kind ?? 'reset'),
  });
  const welcome: Frame = { kind: 'welcome', inbox: '_INBOX.stranger' };
  const other: Frame = { kind: 'welcome', inbox: '_INBOX.other' };
  await strangers(stranger, 'n.twofold', welcome, other, { kind: 'end', at: 0 });
  const duplex = await one.endpoint.dial('n.twofold', http, 5_000);
  const closed = closing(duplex);
  duplex.resume().end('x');
  expect(await closed).toBeNull();
  await until('the bytes', () => heard.length === 3);
  expect(heard).toEqual(['ack', 'data', 'end']);
  expect(one.endpoint.size).toBe(1);
  await one.endpoint.close();
  expect(one.endpoint.size).toBe(0);
});

test('frames of tunnels that nobody has, and bytes that are no frames, are nothing', async () => {
  await using one = await node();
  await using two = await node();
  const [from, to] = await tunnel(one, two, 'n.noise');
  await using stranger = await node();
  const inboxes = new Set<string>();
  stranger.connection.subscribe('_INBOX.>', { callback: (_error, { subject }) => void inboxes.add(subject) });
  await stranger.connection.flush();
  from.write('first');
  await until('a frame', () => inboxes.size > 0);
  const [inbox = ''] = inboxes;
  const unknown = `${inbox.slice(0, inbox.lastIndexOf('.'))}.unknown`;
  for (const subject of [unknown, inbox]) {
    for (const noise of [Buffer.alloc(0), Buffer.from([9]), Buffer.from([1, 2]), Buffer.from('{}')]) {
      stranger.connection.publish(subject, noise);
    }
  }
  stranger.connection.publish(unknown, encodeFrame({ kind: 'data', at: 0, bytes: Buffer.from('x') }));
  await stranger.connection.flush();
  from.end(' and last');
  expect(String(await buffer(to))).toBe('first and last');
});

test('who uses a tunnel and throws ends that tunnel, and the others go on', async () => {
  await using one = await node();
  await using two = await node();
  const [from, to] = await tunnel(one, two, 'n.throws');
  two.endpoint.listen('n.throws-at-once', () => {
    throw new Error('no such service today');
  });
  await two.connection.flush();
  const thrown = await one.endpoint.dial('n.throws-at-once', http, 5_000);
  expect(await closing(thrown)).toMatchObject({
    code: 'closed',
    message: 'The other side ended the tunnel: no such service today',
  });
  to.end('still here');
  expect(String(await buffer(from))).toBe('still here');
});

test('a node that closes ends its tunnels in words, and leaves no subscription, timer or dial', async () => {
  await using one = await node();
  const clock = new ManualClock();
  await using two = await node({ clock });
  const [from, to] = await tunnel(one, two, 'n.closes');
  two.connection.subscribe('n.never', { callback: () => {} });
  const dialled = two.endpoint.dial('n.never', http, 60_000).catch(words);
  const ended = two.endpoint.close();
  expect(await dialled).toMatchObject({ code: 'closed' });
  await ended;
  expect(await closing(to)).toMatchObject({ code: 'closed' });
  expect(await closing(from)).toMatchObject({
    message: 'The other side ended the tunnel: The node is closing its tunnels.',
  });
  expect(clock.timers).toBe(0);
  // That of the test itself.
  expect(subscriptions(two)).toBe(1);
  await two.connection.flush();
  expect(kept(two).listeners).toHaveLength(0);
  expect(await one.endpoint.dial('n.closes', http, 5_000).catch(words)).toMatchObject({
    code: 'no_listener',
  });
  expect(await two.endpoint.dial('n.closes', http, 5_000).catch(words)).toMatchObject({ code: 'closed' });
});

test('a connection that is closed below its tunnels ends them in words', async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  await using one = await node({ log });
  await using two = await node({ aliveMs: 1_000 });
  const [from, to] = await tunnel(one, two, 'n.below');
  await one.connection.close();
  expect(await closing(from)).toMatchObject({
    code: 'closed',
    message: 'The connection to NATS is closed.',
  });
  expect(warnings).toEqual([]);
  expect(await closing(to)).toMatchObject({ code: 'peer_gone' });
  expect(two.endpoint.size).toBe(0);
});

test('a node that closes while its server leaves does not end with an error of the socket', async () => {
  const leaving = createTcpServer((socket) => {
    socket.write('INFO {"version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n');
    socket.on('data', (said) => {
      for (const _ of String(said).matchAll(/PING\r\n/g)) socket.write('PONG\r\n');
      if (String(said).includes('n.last')) socket.end();
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(leaving, 'listening');
  const { port } = leaving.address() as AddressInfo;
  const one = await Node.start([`nats://127.0.0.1:${port}`]);
  const { socket } = kept(one).transport;
  const end = socket.end.bind(socket);
  const closed = new Promise<void>((resolve) => {
    // The one moment that counts: the client has ended its half, and has not looked at the socket since.
    socket.end = () => {
      socket.end = end;
      end();
      void one.endpoint.dial('n.too-late', http, 5_000).catch(() => {});
      queueMicrotask(() => resolve(one[Symbol.asyncDispose]()));
      return socket;
    };
  });
  one.connection.publish('n.last');
  await closed;
  expect(socket.errored).toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' });
  leaving.close();
});

const closing = (duplex: Duplex) =>
  new Promise<Error | null>((resolve) => {
    if (duplex.closed) resolve(duplex.errored);
    else duplex.once('close', () => resolve(duplex.errored));
  });
