import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostFrame, OwnerFrame } from '../../src/protocol/wire/host.ts';
import { encodeHostFrame, HostFrameReader } from '../../src/protocol/wire/host-codec.ts';

const anyFrame = fc.record({
  frame: fc.oneof(
    fc.record({ type: fc.constant('input' as const), id: fc.string({ unit: 'grapheme' }) }),
    fc.record({ type: fc.constant('output' as const), at: fc.nat() }),
    fc.constant({ type: 'attach' as const }),
  ),
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

test('frames come out as they went in, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
      (frames, cuts) => {
        const stream = Buffer.concat(frames.map(({ frame, bytes }) => encodeHostFrame(frame, bytes)));
        const reader = new HostFrameReader<OwnerFrame | HostFrame>();
        const seen = [];
        for (let at = 0, cut = 0; at < stream.length; cut += 1) {
          const length = cuts[cut % cuts.length] ?? 1;
          seen.push(...reader.push(stream.subarray(at, at + length)));
          at += length;
        }
        expect(seen).toEqual(frames);
      },
    ),
  );
});

test('a long frame that comes byte by byte takes linear time', () => {
  const stream = encodeHostFrame({ type: 'memo' }, Buffer.alloc(1024 * 1024, 'x'));
  const reader = new HostFrameReader<OwnerFrame>();
  const before = performance.now();
  let seen = 0;
  for (let at = 0; at < stream.length; at += 1) seen += reader.push(stream.subarray(at, at + 1)).length;
  expect(seen).toBe(1);
  // To copy all that is there with each byte would be 500 GB.
  expect(performance.now() - before).toBeLessThan(10_000);
});

test.each([
  ['no length', [0, 0, 0, 3, 0, 0, 0]],
  ['more than any has', [1, 0, 0, 1]],
  ['a head beyond its end', [0, 0, 0, 4, 0, 3, 0x7b, 0x7d]],
  ['a head that is no JSON', [0, 0, 0, 3, 0, 1, 0x7b]],
  ['a head that is null', [0, 0, 0, 6, 0, 4, 0x6e, 0x75, 0x6c, 0x6c]],
  ['a head without a type', [0, 0, 0, 4, 0, 2, 0x7b, 0x7d]],
])('a frame with %s is refused', (_, bytes) => {
  expect(() => new HostFrameReader<OwnerFrame>().push(Buffer.from(bytes))).toThrow();
});

interface Golden {
  frame: OwnerFrame | HostFrame;
  bytes: string;
  hex: string;
}

const golden: Record<'owner' | 'host', Golden[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/host-v1.json'), 'utf8'),
);

/** One of every frame; the compiler tells when one is missing. */
const ownerTypes: Record<OwnerFrame['type'], true> = {
  hello: true,
  start: true,
  attach: true,
  input: true,
  resize: true,
  kill: true,
  answer: true,
  ack: true,
  done: true,
  checkpoint: true,
  keep: true,
  lease: true,
  memo: true,
  notice: true,
  quit: true,
};
const hostTypes: Record<HostFrame['type'], true> = {
  hello: true,
  refused: true,
  started: true,
  failed: true,
  snapshot: true,
  output: true,
  hook: true,
  closed: true,
  attached: true,
  exit: true,
};

test('version 1 is what it was: every frame, byte for byte', () => {
  const typesOf = (frames: Golden[]) => new Set(frames.map(({ frame }) => frame.type));
  expect(typesOf(golden.owner)).toEqual(new Set(Object.keys(ownerTypes)));
  expect(typesOf(golden.host)).toEqual(new Set(Object.keys(hostTypes)));
  for (const { frame, bytes, hex } of [...golden.owner, ...golden.host]) {
    const reader = new HostFrameReader<OwnerFrame | HostFrame>();
    expect(encodeHostFrame(frame, Buffer.from(bytes)).toString('hex')).toBe(hex);
    expect(reader.push(Buffer.from(hex, 'hex'))).toEqual([{ frame, bytes: Buffer.from(bytes) }]);
  }
});
