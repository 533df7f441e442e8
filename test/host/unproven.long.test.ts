// Whoever reaches the socket of a host and does not know its secret: a close is all there is to get, and nothing changes.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newNonce } from '../../src/base/net/mutual-proof.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { HostLink } from '../../src/bridge/terminal/host-link.ts';
import { HostProof } from '../../src/bridge/terminal/host-proof.ts';
import { type HostFrame, hostVersions, type OwnerFrame } from '../../src/protocol/wire/host.ts';
import { encodeHostFrame, HostFrameReader } from '../../src/protocol/wire/host-codec.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { post, secret, type TestHost, TestOwner, testHost } from './support.ts';

const hello = (versions = hostVersions): OwnerFrame => ({ type: 'hello', versions, nonce: newNonce() });
const followUp: OwnerFrame[] = [{ type: 'attach' }, { type: 'input' }, { type: 'quit' }];

/** What an honest bridge said once, byte for byte. */
async function recorded(socket: string): Promise<Buffer> {
  const said: Buffer[] = [];
  const path = `${socket}.tap`;
  const tap = createServer((from) => {
    from.on('error', () => {});
    const to = connect(socket).on('error', () => from.destroy());
    from
      .on('data', (chunk) => said.push(chunk))
      .pipe(to)
      .pipe(from);
  }).listen(path);
  await once(tap, 'listening');
  const owner = await TestOwner.of(path);
  owner.say({ type: 'attach' });
  owner.type('recorded\r');
  await owner.next('attached');
  owner.socket.destroy();
  tap.close();
  return Buffer.concat(said);
}

type Try = (stranger: TestOwner, socket: string) => unknown;

/** Shows a proof that it makes of the challenge. */
const shows = (of: (challenge: HostFrame & { type: 'challenge' }, said: OwnerFrame) => string): Try => {
  return async (stranger) => {
    const first = hello();
    stranger.say(first);
    const { frame } = await stranger.next('challenge');
    stranger.say({ type: 'proof', proof: of(frame, first) });
    for (const each of followUp) stranger.say(each);
  };
};

const tries: Record<string, Try> = {
  'the hello of an older release': (stranger) =>
    stranger.say({ type: 'hello', versions: [1] } as unknown as OwnerFrame),
  'a hello of an older version': (stranger) => stranger.say(hello([1])),
  'a hello of a version to come': (stranger) => stranger.say(hello([3])),
  'two hellos': (stranger) => [hello(), hello()].map((each) => stranger.say(each)),
  'what an owner says': (stranger) => followUp.map((each) => stranger.say(each)),
  'an owner’s frames behind a hello': (stranger) => [hello(), ...followUp].map((each) => stranger.say(each)),
  'a nonce that is none': (stranger) => stranger.say({ ...hello(), nonce: 'x' } as OwnerFrame),
  'no frame': (stranger) => stranger.socket.write('GET / HTTP/1.1\r\n\r\n'),
  'a frame that is too long': (stranger) => stranger.socket.write(Buffer.from([0, 0x10, 0, 0])),
  'its own proof, sent back': shows(({ proof }) => proof),
  'its own nonce as a proof': shows(({ nonce }) => nonce),
  'the proof of another secret': async (stranger, socket) => {
    const proof = new HostProof({ run: 'r1', secret: 'another secret', socket });
    stranger.say(proof.hello);
    const { frame } = await stranger.next('challenge');
    // As the host would for it: a stranger does not check who is there.
    expect(() => proof.hear(frame)).toThrow('did not prove');
    stranger.say({ type: 'proof', proof: newNonce() });
  },
};

async function gets(socket: string, attempt: Try): Promise<TestOwner> {
  const stranger = new TestOwner(socket);
  await attempt(stranger, socket);
  await stranger.gone();
  return stranger;
}

/** Nothing but a nonce, and a proof of it that nobody else takes. */
const onlyChallenges = (stranger: TestOwner) =>
  stranger.seen.every(({ frame, bytes }) => frame.type === 'challenge' && bytes.length === 0);

/** 100 of every kind, one after the other and at once. */
async function hundredTries(socket: string, replay: Buffer): Promise<void> {
  const kinds: Try[] = [...Object.values(tries), (stranger) => stranger.socket.write(replay)];
  for (let n = 0; n < 50; n += 1) {
    const stranger = await gets(socket, kinds[n % kinds.length] as Try);
    expect(onlyChallenges(stranger)).toBe(true);
  }
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, n) => gets(socket, kinds[n % kinds.length] as Try)),
  );
  expect(all.every(onlyChallenges)).toBe(true);
}

const waits = 'stty -echo; echo ready; while read x; do echo "<$x>"; done';

/** A host whose program asks for a permission. */
async function asking(): Promise<{ host: TestHost; replay: Buffer; held: () => string } & AsyncDisposable> {
  const host = await testHost();
  const replay = await recorded(host.socket);
  const starter = await TestOwner.start(host.socket, waits);
  await starter.shows('ready');
  let held = 'held';
  const gone = (outcome: string) => () => {
    held = outcome;
  };
  post(starter.port, { path: '/hooks/hold/PermissionRequest' }).then(gone('answered'), gone('cut'));
  await starter.next('hook');
  starter.socket.destroy();
  return { host, replay, held: () => held, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

test('100 tries without the secret at a host that has an owner change nothing, and the owner is told', async () => {
  await using world = await asking();
  const { socket } = world.host;
  using owner = await TestOwner.of(socket);
  await owner.attach();
  await hundredTries(socket, world.replay);
  expect([owner.isClosed, world.held()]).toEqual([false, 'held']);
  owner.type('mine\r');
  await owner.shows('<mine>');
  expect(owner.output).not.toContain('recorded');
  // At once, and then once a minute.
  expect(owner.all('unproven').map(({ frame }) => frame.count)).toEqual([1]);
});

test('100 tries without the secret at a host that has none change nothing, and the next owner is told', async () => {
  await using world = await asking();
  await hundredTries(world.host.socket, world.replay);
  expect(world.held()).toBe('held');
  using owner = await TestOwner.of(world.host.socket);
  await owner.attach();
  expect(owner.all('hook')).toMatchObject([{ frame: { event: 'PermissionRequest', state: 'open' } }]);
  expect(owner.output).not.toContain('recorded');
  expect((await owner.next('unproven')).frame.count).toBe(100);
});

test('half handshakes that sit are closed after 10 s, and are in nobody’s way', async () => {
  const clock = new ManualClock();
  await using host = await testHost({ clock });
  using owner = await TestOwner.start(host.socket, waits);
  await owner.shows('ready');
  const before = clock.timers;
  const sitting = Array.from({ length: 60 }, () => new TestOwner(host.socket));
  onTestFinished(() => {
    for (const each of sitting) each[Symbol.dispose]();
  });
  for (const each of sitting.slice(0, 30)) each.say(hello());
  for (const each of sitting.slice(0, 30)) await each.next('challenge');
  await until('their deadlines', () => clock.timers === before + 60);
  owner.socket.destroy();
  using next = await TestOwner.of(host.socket);
  await next.attach();
  clock.advance(9_999);
  expect(sitting.some(({ isClosed }) => isClosed)).toBe(false);
  clock.advance(1);
  for (const each of sitting) await each.gone();
  expect(sitting.every(onlyChallenges)).toBe(true);
  expect((await next.next('unproven')).frame.count).toBe(1);
  clock.advance(60_000);
  expect((await next.next('unproven', ({ frame }) => frame.count > 1)).frame.count).toBe(60);
});

test('of more than 64 that prove nothing those that take longest are closed, and a bridge comes in', async () => {
  const clock = new ManualClock();
  await using host = await testHost({ clock });
  const sitting = Array.from({ length: 200 }, () => new TestOwner(host.socket));
  onTestFinished(() => {
    for (const each of sitting) each[Symbol.dispose]();
  });
  await until('all but 64 to be closed', () => sitting.filter(({ isClosed }) => isClosed).length === 136);
  using owner = await TestOwner.of(host.socket);
  await owner.attach();
});

test('one that hangs up by itself has proven nothing and is not counted: its bridge may have been killed', async () => {
  await using host = await testHost();
  for (let n = 0; n < 5; n += 1) {
    using stranger = new TestOwner(host.socket);
    stranger.say(hello());
    await stranger.next('challenge');
  }
  using owner = await TestOwner.of(host.socket);
  await owner.attach();
  await gets(host.socket, (stranger) => stranger.socket.write('x'.repeat(100)));
  expect((await owner.next('unproven')).frame.count).toBe(1);
});

/** Stands between a bridge and its host, and hands on what both say. */
async function relay(host: TestHost) {
  const path = join(host.dir, 'relay.s');
  const heard = { bridge: [] as Buffer[], host: [] as Buffer[] };
  const { promise, resolve } = Promise.withResolvers<{ bridge: Socket; host: Socket }>();
  const server = createServer((bridge) => {
    const to = connect(host.socket);
    bridge.on('data', (chunk) => heard.bridge.push(chunk)).pipe(to);
    to.on('data', (chunk) => heard.host.push(chunk)).pipe(bridge);
    for (const each of [bridge, to]) each.on('error', () => {});
    to.on('close', () => bridge.destroy());
    resolve({ bridge, host: to });
  }).listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { path, heard, ends: promise };
}

test('who stands between a bridge and its host reads nothing of either, and what it puts in ends the connection', async () => {
  await using world = await asking();
  const { path, heard, ends } = await relay(world.host);
  const link = await HostLink.to({ ...world.host, socket: path }, systemClock, () => false);
  onTestFinished(() => link.close());
  link.send({ type: 'attach' });
  link.send({ type: 'memo' }, Buffer.from('a word to keep'));
  const frames: HostFrame[] = [];
  link.listen(({ frame }) => frames.push(frame));
  await until('all that was kept', () => frames.some(({ type }) => type === 'attached'));
  const opening = new HostFrameReader<OwnerFrame>().push(Buffer.concat(heard.bridge.slice(0, 2)));
  expect(opening.map(({ frame }) => frame.type)).toEqual(['hello', 'proof']);
  const read = Buffer.concat([...heard.bridge, ...heard.host]).toString('latin1');
  for (const word of [secret, 'a word to keep', 'PermissionRequest', 'ready', 'attach', '"port"'])
    expect(read).not.toContain(word);
  (await ends).host.write(encodeHostFrame({ type: 'answer', hook: 1 }, Buffer.from('{}')));
  await link.ended;
  expect(world.held()).toBe('held');
});
