import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MutualProof, type Side } from '../../src/base/net/mutual-proof.ts';
import { Opener, Sealer } from '../../src/base/net/seal.ts';
import { aboutHost, type HostFrame, type OwnerFrame } from '../../src/protocol/wire/host.ts';
import { encodeHostFrame, HostFrameReader } from '../../src/protocol/wire/host-codec.ts';

const anyFrame = fc.record({
  frame: fc.oneof(
    fc.record({ type: fc.constant('input' as const), id: fc.string({ unit: 'grapheme' }) }),
    fc.record({ type: fc.constant('output' as const), at: fc.nat() }),
    fc.constant({ type: 'attach' as const }),
  ),
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

/** Both ends of one direction. */
const sealing = (key: Buffer = Buffer.alloc(32, 7)) => ({ sealer: new Sealer(key), opener: new Opener(key) });

test.each([
  ['as they are', false],
  ['sealed', true],
])('frames come out %s as they went in, however the stream is cut', (_, isSealed) => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
      (frames, cuts) => {
        const { sealer, opener } = sealing();
        const encoded = ({ frame, bytes }: (typeof frames)[number]) =>
          encodeHostFrame(frame, bytes, isSealed ? sealer : undefined);
        const stream = Buffer.concat(frames.map(encoded));
        const reader = new HostFrameReader<OwnerFrame | HostFrame>();
        if (isSealed) reader.openWith(opener);
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
  const { sealer, opener } = sealing();
  const stream = encodeHostFrame({ type: 'memo' }, Buffer.alloc(1024 * 1024, 'x'), sealer);
  const reader = new HostFrameReader<OwnerFrame>();
  reader.openWith(opener);
  const before = performance.now();
  let seen = 0;
  for (let at = 0; at < stream.length; at += 1) seen += reader.push(stream.subarray(at, at + 1)).length;
  expect(seen).toBe(1);
  // To copy all that is there with each byte would be 500 GB.
  expect(performance.now() - before).toBeLessThan(10_000);
});

test.each([
  ['no length', [0, 0, 0, 3, 0, 0, 0]],
  ['more than one who has proven nothing may say', [0, 0, 16, 1]],
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

interface Sealed {
  secret: string;
  run: string;
  clientNonce: string;
  serverNonce: string;
  client: Golden[];
  server: Golden[];
}

const golden: Record<'owner' | 'host', Golden[]> & { sealed: Sealed } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/host-v2.json'), 'utf8'),
);

/** One of every frame; the compiler tells when one is missing. */
const ownerTypes: Record<OwnerFrame['type'], true> = {
  hello: true,
  proof: true,
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
  pong: true,
  quit: true,
};
const hostTypes: Record<HostFrame['type'], true> = {
  challenge: true,
  wait: true,
  hello: true,
  ping: true,
  unproven: true,
  started: true,
  failed: true,
  snapshot: true,
  output: true,
  hook: true,
  closed: true,
  attached: true,
  exit: true,
};

test('version 2 is what it was: every frame, byte for byte', () => {
  const typesOf = (frames: Golden[]) => new Set(frames.map(({ frame }) => frame.type));
  expect(typesOf(golden.owner)).toEqual(new Set(Object.keys(ownerTypes)));
  expect(typesOf(golden.host)).toEqual(new Set(Object.keys(hostTypes)));
  for (const { frame, bytes, hex } of [...golden.owner, ...golden.host]) {
    const reader = new HostFrameReader<OwnerFrame | HostFrame>();
    expect(encodeHostFrame(frame, Buffer.from(bytes)).toString('hex')).toBe(hex);
    expect(reader.push(Buffer.from(hex, 'hex'))).toEqual([{ frame, bytes: Buffer.from(bytes) }]);
  }
});

test('so are its proofs and its seals', () => {
  const { secret, run, clientNonce, serverNonce, ...sides } = golden.sealed;
  const proof = new MutualProof({ secret, about: aboutHost(run, 2), clientNonce, serverNonce });
  const shown = [...golden.owner, ...golden.host].flatMap(({ frame }) =>
    'proof' in frame ? [frame.proof] : [],
  );
  expect(shown).toEqual([proof.of('client'), proof.of('server')]);
  for (const side of ['client', 'server'] satisfies Side[]) {
    const { sealer, opener } = sealing(proof.keyOf(side));
    const reader = new HostFrameReader<OwnerFrame | HostFrame>();
    reader.openWith(opener);
    for (const { frame, bytes, hex } of sides[side]) {
      expect(encodeHostFrame(frame, Buffer.from(bytes), sealer).toString('hex')).toBe(hex);
      expect(reader.push(Buffer.from(hex, 'hex'))).toEqual([{ frame, bytes: Buffer.from(bytes) }]);
    }
  }
});

const none: Buffer = Buffer.alloc(0);

const sealedFrames = (): Buffer[] => {
  const { sealer } = sealing();
  return ['one', 'two', 'three'].map((text) => encodeHostFrame({ type: 'input' }, Buffer.from(text), sealer));
};

test.each<[string, (frames: Buffer[]) => Buffer[]]>([
  ['changed', ([one = none]) => [Buffer.concat([one.subarray(0, -20), Buffer.of(1), one.subarray(-19)])]],
  ['left out', (frames) => frames.slice(1)],
  ['repeated', ([one = none]) => [one, one]],
  ['swapped', (frames) => frames.toReversed()],
  ['put in as it would be unsealed', () => [encodeHostFrame({ type: 'input' }, Buffer.from('mine'))]],
  [
    'put in with another key',
    () => [encodeHostFrame({ type: 'quit' }, undefined, new Sealer(Buffer.alloc(32)))],
  ],
  ['cut', ([one = none]) => [Buffer.concat([Buffer.from([0, 0, 0, 8]), one.subarray(4, 12)])]],
])('a sealed frame that was %s is not read', (_, spoilt) => {
  const reader = new HostFrameReader<OwnerFrame>();
  reader.openWith(sealing().opener);
  expect(() => {
    for (const frame of spoilt(sealedFrames())) reader.push(frame);
  }).toThrow();
});
