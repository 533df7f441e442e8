import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring } from '../../src/host/program/ring.ts';
import { runs } from '../support/runs.ts';

const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ push: fc.nat({ max: 100_000 }) }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.integer({ min: -10, max: 400_000 }) }) },
);

test('it holds the newest bytes, as a text that is cut does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), fc.array(act, { maxLength: 12 }), (most, acts) => {
      const ring = new Ring(most);
      let all = Buffer.alloc(0);
      let start = 0;
      let handed: { bytes: Buffer; copy: Buffer }[] = [];
      for (const each of acts) {
        if ('push' in each) {
          const bytes = Buffer.alloc(each.push, all.length % 251);
          all = Buffer.concat([all, bytes]);
          ring.push(bytes);
          start = Math.max(start, all.length - most);
        } else {
          ring.dropBefore(each.drop);
          start = Math.max(start, Math.min(each.drop, all.length));
        }
        const pieces = [...ring.pieces()];
        let at = start;
        for (const piece of pieces) {
          expect(piece.at).toBe(at);
          expect(piece.bytes.length).toBeGreaterThan(0);
          at += piece.bytes.length;
        }
        expect([ring.start, ring.end, at]).toEqual([start, all.length, all.length]);
        expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).equals(all.subarray(start))).toBe(true);
        // A view that was handed out stays what it was.
        expect(handed.every(({ bytes, copy }) => bytes.equals(copy))).toBe(true);
        handed = pieces.map(({ bytes }) => ({ bytes, copy: Buffer.from(bytes) }));
      }
    }),
    { numRuns: runs(60) },
  );
});

test('a million pieces of one byte cost what they hold', () => {
  const ring = new Ring(1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  const one = Buffer.from('x');
  for (let n = 0; n < 2_000_000; n += 1) ring.push(one);
  const pieces = [...ring.pieces()];
  expect(pieces.length).toBeLessThan(20);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  expect(ring.end - ring.start).toBe(1024 * 1024);
});
