import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../../src/base/ids.ts';
import { HostLink } from '../../../src/bridge/terminal/host-link.ts';
import { OwnerProof } from '../../../src/host/owner/owner-proof.ts';
import type { HostFrame, OwnerFrame } from '../../../src/protocol/wire/host.ts';
import { encodeHostFrame, type FrameSealer, HostFrameReader } from '../../../src/protocol/wire/host-codec.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const identity = { run: 'r1', secret: newToken() };

/** What a bridge says to a host that accepts a connection and then says nothing. A real one that is held up: hung-host.long.test.ts. */
async function silentHost(isHeldUp = () => true) {
  const socket = join(tempDir(), 'own.s');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  chmodSync(socket, 0o600);
  const clock = new ManualClock();
  const link = HostLink.to({ ...identity, socket }, clock, isHeldUp);
  link.catch(() => {});
  const [connection] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    connection.destroy();
    server.close();
  });
  return { clock, link, connection };
}

/** The end of a host on a connection: it answers what is asked for a proof, and nothing else. */
class Answering {
  readonly heard: OwnerFrame[] = [];
  readonly #socket: Socket;
  #sealer: FrameSealer | undefined;

  constructor(socket: Socket, about = identity) {
    this.#socket = socket;
    const proof = new OwnerProof(about);
    const reader = new HostFrameReader<OwnerFrame>();
    socket.on('data', (chunk) => {
      for (const { frame } of reader.push(chunk)) {
        this.heard.push(frame);
        const step = this.#sealer ? undefined : proof.hear(frame);
        if (step && 'answer' in step) this.say(step.answer);
        else if (step) {
          this.#sealer = step.sealer;
          reader.openWith(step.opener);
        }
      }
    });
  }

  say(frame: HostFrame): void {
    this.#socket.write(encodeHostFrame(frame, undefined, this.#sealer));
  }

  async proves(): Promise<void> {
    await until('the proof of the bridge', () => this.#sealer !== undefined);
  }
}

const hello: HostFrame = { type: 'hello', run: 'r1', port: 1, lost: 0 };

test('a host that gets no processor has half a minute to say who it is', async () => {
  const { clock, link, connection } = await silentHost();
  clock.advance(29_999);
  const host = new Answering(connection);
  await host.proves();
  host.say(hello);
  expect((await link).hello.run).toBe('r1');
  expect(clock.timers).toBe(0);
});

test('a host that has proven itself has all of its time again to say who it is', async () => {
  const { clock, link, connection } = await silentHost(() => false);
  clock.advance(2_999);
  const host = new Answering(connection);
  await host.proves();
  clock.advance(2_999);
  host.say(hello);
  expect((await link).hello.run).toBe('r1');
  expect(clock.timers).toBe(0);
});

test.each([
  ['could answer', 3, 0],
  ['got its processor and still says nothing', 6, 1],
  ['never gets a processor', 30, Number.POSITIVE_INFINITY],
])('a host that %s is given up after %i s', async (_, seconds, looks) => {
  let times = 0;
  const { clock, link } = await silentHost(() => times++ < looks);
  const failed = expect(link).rejects.toThrow(`the host says nothing within ${seconds} s`);
  clock.advance(60_000);
  await failed;
  expect(clock.timers).toBe(0);
});

test('a host that has another owner is waited for, and given up when that does not go', async () => {
  const { clock, link, connection } = await silentHost(() => false);
  const host = new Answering(connection);
  await host.proves();
  const [before] = [clock.timers];
  host.say({ type: 'wait' });
  host.say({ type: 'ping' });
  await until('an answer to its ping', () => host.heard.at(-1)?.type === 'pong');
  expect(clock.timers).toBe(before);
  clock.advance(14_999);
  const failed = expect(link).rejects.toThrow('the host has another owner, which does not go within 15 s');
  clock.advance(1);
  await failed;
  expect(clock.timers).toBe(0);
});

const foreign = newToken();
const challenge = { type: 'challenge', version: 2, nonce: 'a'.repeat(64), proof: 'b'.repeat(64) } as const;

test.each<[string, (socket: Socket) => unknown]>([
  ['knows no secret', (socket) => new Answering(socket, { ...identity, secret: foreign })],
  ['is the host of another session', (socket) => new Answering(socket, { ...identity, run: 'r2' })],
  ['proves nothing', (socket) => socket.write(encodeHostFrame(challenge))],
  ['says at once who it is', (socket) => socket.write(encodeHostFrame(hello))],
  ['wants to wait', (socket) => socket.write(encodeHostFrame({ type: 'wait' }))],
  ['is of an older release', (socket) => socket.write(encodeHostFrame({ type: 'refused' } as never))],
  ['speaks an older version', (socket) => socket.write(encodeHostFrame({ ...challenge, version: 1 }))],
  ['says what is no frame', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  // As a mirror: what the bridge says comes back.
  ['sends everything back', (socket) => socket.pipe(socket)],
])('a false host that %s hears one nonce and nothing else', async (_, answer) => {
  const { link, connection } = await silentHost();
  const heard: Buffer[] = [];
  connection.on('data', (chunk) => heard.push(chunk));
  answer(connection);
  const closed = once(connection, 'close');
  await expect(link).rejects.toThrow();
  await closed;
  const frames = new HostFrameReader<OwnerFrame>().push(Buffer.concat(heard));
  expect(frames.map(({ frame }) => frame)).toEqual([
    { type: 'hello', versions: [2], nonce: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});
