// Two ends of a tunnel in one process, and a wire between them that loses what the test says.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame, type Frame } from '../../../../src/bridge/cluster/tunnel/frame.ts';
import { Tunnel, tickMs } from '../../../../src/bridge/cluster/tunnel/tunnel.ts';
import { windowBytes } from '../../../../src/bridge/cluster/tunnel/window.ts';
import { runs } from '../../../support/runs.ts';

const aliveMs = 10_000;

type Loses = (frame: Frame, n: number) => boolean;

/** Each end, what it said, and whether it is done. Frames arrive in order, each in a turn of its own. */
class Pair {
  readonly a = this.#end('a');
  readonly b = this.#end('b');
  readonly said: { by: 'a' | 'b'; frame: Frame }[] = [];
  readonly over = new Set<string>();
  #loses: Loses;

  constructor(loses: Loses = () => false) {
    this.#loses = loses;
  }

  lose(loses: Loses): void {
    this.#loses = loses;
  }

  tick(times = 1): void {
    for (let n = 0; n < times; n += 1) {
      this.a.tick();
      this.b.tick();
    }
  }

  /** Until both ends are done, at most so many ticks. */
  async run(ticks: number): Promise<void> {
    for (let n = 0; n < ticks && this.over.size < 2; n += 1) {
      for (let turns = 0; turns < 20; turns += 1) await turn();
      this.tick();
    }
  }

  #end(by: 'a' | 'b'): Tunnel {
    return new Tunnel({
      aliveMs,
      over: () => this.over.add(by),
      send: (message) => {
        const frame = decodeFrame(Buffer.from(message));
        if (!frame) throw new Error('an end said what is no frame');
        this.said.push({ by, frame });
        if (!this.#loses(frame, this.said.length))
          setImmediate(() => (by === 'a' ? this.b : this.a).hear(frame));
      },
    });
  }
}

/** All that comes. Unlike `for await` it leaves the other direction open. */
const all = (stream: Duplex) =>
  new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.once('end', () => resolve(Buffer.concat(chunks))).once('error', reject);
  });

const closed = (stream: Duplex) => new Promise((resolve) => stream.once('close', resolve));

const dataOf = (pair: Pair) => pair.said.flatMap(({ frame }) => (frame.kind === 'data' ? [frame] : []));

test('bytes go both ways, a huge write in pieces, and each end is done when the other has all', async () => {
  const pair = new Pair();
  const [there, back] = [randomBytes(1_000_000), randomBytes(300_000)];
  pair.a.end(there);
  pair.b.end(back);
  const [atB, atA] = await Promise.all([all(pair.b), all(pair.a)]);
  expect(atB.equals(there)).toBe(true);
  expect(atA.equals(back)).toBe(true);
  expect(Math.max(...dataOf(pair).map(({ bytes }) => bytes.length))).toBe(32 * 1024);
  await pair.run(10);
  expect([...pair.over].sort()).toEqual(['a', 'b']);
});

test('one direction ends and the other goes on', async () => {
  const pair = new Pair();
  pair.a.end('question');
  expect(String(await all(pair.b))).toBe('question');
  pair.b.write('answer, ');
  await turn();
  pair.b.end('and more');
  expect(String(await all(pair.a))).toBe('answer, and more');
});

test('a reader that does not read holds the writer: no more than a window is on the way', async () => {
  const pair = new Pair();
  let pulled = 0;
  const source = new Readable({
    highWaterMark: 16 * 1024,
    read() {
      const chunk = Buffer.alloc(Math.min(16 * 1024, 50_000_000 - pulled), 7);
      pulled += chunk.length;
      this.push(chunk.length > 0 ? chunk : null);
    },
  });
  source.pipe(pair.a);
  await pair.run(100);
  const sent = dataOf(pair).reduce((all, { bytes }) => all + bytes.length, 0);
  expect(sent).toBe(windowBytes);
  expect(pair.b.readableLength).toBe(windowBytes);
  // Beside the window: what Node's own buffers of a stream hold on both sides of the pipe.
  expect(pulled).toBeLessThanOrEqual(windowBytes + pair.a.writableHighWaterMark + 3 * 16 * 1024);
  expect(pair.a.write('x')).toBe(false);
  source.destroy();
  pair.a.destroy();
});

test('whatever is lost, all arrives once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fc.nat(99)),
      fc.integer({ min: 1, max: 600_000 }),
      async (luck, length) => {
        const pair = new Pair(() => luck.next().value < 30);
        const text = randomBytes(length);
        pair.a.end(text);
        pair.b.end(text.subarray(0, 1_000));
        const read = Promise.all([all(pair.b), all(pair.a)]);
        await Promise.race([read, pair.run(1_000).then(() => expect(pair.over.size).toBe(2))]);
        const [atB, atA] = await read;
        expect(atB.equals(text)).toBe(true);
        expect(atA.equals(text.subarray(0, 1_000))).toBe(true);
      },
    ),
    { numRuns: runs(20) },
  );
});

test('a frame that is lost between others is sent again at once, without a timer', async () => {
  const pair = new Pair((frame, n) => frame.kind === 'data' && n === 2);
  pair.a.end(randomBytes(200_000));
  expect((await all(pair.b)).length).toBe(200_000);
  // Once, although five frames that came behind it found it missing.
  expect(pair.said.filter(({ frame }) => frame.kind === 'ack' && frame.gap)).toHaveLength(1);
});

test('what was taken in is acknowledged again when it is sent again, long before a sign of life is due', async () => {
  const pair = new Pair((frame) => frame.kind === 'ack');
  pair.a.end('there');
  pair.b.end('back');
  await Promise.all([all(pair.a), all(pair.b)]);
  pair.lose(() => false);
  await pair.run(8);
  expect(pair.over.size).toBe(2);
});

test('what was lost while a connection was away is sent again when it is back, in both directions', async () => {
  const pair = new Pair(() => true);
  pair.a.end('there');
  pair.b.end('back');
  await turn();
  pair.lose(() => false);
  pair.a.reconnected();
  const [atB, atA] = await Promise.all([all(pair.b), all(pair.a)]);
  expect(`${atB} ${atA}`).toBe('there back');
});

test('an error at one end is one at the other, in words, and nobody has to listen for it', async () => {
  const pair = new Pair();
  pair.a.destroy(new Error('the disk is full'));
  const [error] = await once(pair.b, 'error');
  expect(error).toMatchObject({
    code: 'closed',
    message: 'The other side ended the tunnel: the disk is full',
  });
  const unheard = new Pair();
  unheard.a.destroy();
  await closed(unheard.b);
  expect(unheard.b.errored).toMatchObject({ code: 'closed' });
  expect(unheard.over.size).toBe(2);
});

test('an idle tunnel gives signs of life, and one without any ends', async () => {
  const pair = new Pair();
  pair.a.resume();
  pair.b.resume();
  await pair.run(60_000 / tickMs);
  expect(pair.a.destroyed || pair.b.destroyed).toBe(false);
  expect(pair.said.length).toBeLessThanOrEqual(40);
  pair.lose(() => true);
  pair.tick(aliveMs / tickMs + 1);
  expect(pair.a.errored).toMatchObject({
    code: 'peer_gone',
    message: 'Nothing was heard of the other side of the tunnel for 10 seconds.',
  });
  expect(pair.over.size).toBe(2);
});

test('an end whose other side left when it had all goes without an error', async () => {
  const pair = new Pair();
  pair.b.end('answer');
  await turn();
  pair.lose(() => true);
  pair.a.end();
  const left = closed(pair.a);
  expect(String(await all(pair.a))).toBe('answer');
  await left;
  pair.tick(aliveMs / tickMs + 1);
  expect(pair.over.has('a')).toBe(true);
  expect(pair.a.errored).toBeNull();
});

test('what an end has of one that is gone stays readable, when that is all of it', async () => {
  const pair = new Pair((frame) => frame.kind === 'ack');
  pair.b.end('answer');
  pair.a.end();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  pair.tick(aliveMs / tickMs + 1);
  expect(pair.over.has('a')).toBe(true);
  expect(String(await all(pair.a))).toBe('answer');
});

test.each<[string, Frame]>([
  ['bytes beyond its credit', { kind: 'data', at: windowBytes, bytes: Buffer.alloc(1) }],
  ['an acknowledgement of nothing that was sent', { kind: 'ack', received: 9, limit: 9, gap: false }],
])('a peer that says %s ends its tunnel alone', async (_what, frame) => {
  const pair = new Pair();
  pair.a.hear(frame);
  expect(pair.a.errored).toMatchObject({ code: 'protocol' });
  await closed(pair.b);
});

test('what waits for its reader keeps nothing alive that only came with it', () => {
  const pair = new Pair();
  const message = Buffer.alloc(1_000_000);
  pair.a.hear({ kind: 'data', at: 0, bytes: message.subarray(0, 1) });
  expect(pair.a.read().buffer).not.toBe(message.buffer);
});

test('any bytes are a frame, or none', () => {
  const json = fc.json().map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), json), (bytes) => {
      const frame = decodeFrame(bytes);
      if (frame) expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
    }),
  );
  expect(decodeFrame(Buffer.from([1, 0, 0, 0, 0, 0]))).toBeUndefined();
  expect(decodeFrame(Buffer.from('{"kind":"ack","received":-1,"limit":0,"gap":false}'))).toBeUndefined();
});

test('a reason that is too long is cut, so that it is heard at all', async () => {
  const pair = new Pair();
  pair.a.destroy(new Error('x'.repeat(100_000)));
  await closed(pair.b);
  expect(pair.b.errored?.message).toMatch(/^The other side ended the tunnel: x{500}$/);
});
