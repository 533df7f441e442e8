import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Checkpoints, endsWhole } from '../../../src/bridge/terminal/checkpoints.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();
function taken() {
  const at: number[] = [];
  return { at, of: new Checkpoints({ clock, take: (offset) => at.push(offset) }) };
}

test('a picture is taken after 256 KiB, and when nothing came for 5 s', () => {
  const { at, of } = taken();
  const block = Buffer.alloc(64 * 1024, 'x');
  for (let n = 0; n < 5; n += 1) of.drew(n * block.length, block);
  expect(at).toEqual([4 * block.length]);
  clock.advance(4_999);
  expect(at).toHaveLength(1);
  clock.advance(1);
  expect(at).toEqual([4 * block.length, 5 * block.length]);
  clock.advance(60_000);
  expect(at).toHaveLength(2);
});

test('none is taken in the middle of an escape sequence, but with the output that ends it', () => {
  const { at, of } = taken();
  of.drew(0, Buffer.from('hello\x1b[3'));
  clock.advance(10_000);
  expect(at).toEqual([]);
  of.drew(8, Buffer.from('1m'));
  clock.advance(5_000);
  expect(at).toEqual([10]);
});

test('none is taken once it is closed', () => {
  const { at, of } = taken();
  of.drew(0, Buffer.from('hello'));
  of.close();
  clock.advance(10_000);
  expect(at).toEqual([]);
});

const wholes = [
  '',
  'a',
  'é',
  '你',
  '🎉',
  '\x1b[1m',
  '\x1b[?25l',
  '\x1b]0;title\x07',
  '\x1b]2;t\x1b\\',
  '\x1b(B',
  '\x1b7',
  '\x1bc',
];

test.each(wholes)('%j is whole', (text) => {
  expect(endsWhole(Buffer.from(text))).toBe(true);
});

test('of every part of a character or a sequence it is known that something is missing', () => {
  const sequence = fc.constantFrom(...wholes.slice(2));
  fc.assert(
    fc.property(sequence, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (text, where) => {
      const bytes = Buffer.from(text);
      const cut = 1 + Math.floor(where * (bytes.length - 1));
      const part = bytes.subarray(0, cut);
      // A title that ends with ESC \\ has no end before its last byte, any other only there.
      expect(endsWhole(part)).toBe(cut === bytes.length);
    }),
  );
});
