import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outdated } from '../../../../src/bridge/journal/archive/retention.ts';
import {
  readSegmentName,
  type Segment,
  segmentName,
} from '../../../../src/bridge/journal/archive/segment-name.ts';
import { noon } from './archived-rows.ts';

const day = 86_400_000;

/** Ten rows each, the newest of them so many days before noon. */
const segments = (...ages: number[]): Segment[] =>
  ages.map((age, index) => {
    const named = { first: index * 10 + 1, last: index * 10 + 10, newest: noon - age * day };
    return { ...named, path: segmentName(named), bytes: 1 };
  });

const firsts = (found: Segment[]) => found.map(({ first }) => first);

test.each([
  ['none is kept', 0, [30, 20, 1, 0], [1, 11, 21, 31]],
  ['those that are older go', 10, [30, 20, 5, 1], [1, 11]],
  ['one whose last row is not older stays', 20, [30, 20, 5], [1]],
  ['all are kept', Number.POSITIVE_INFINITY, [4000, 1], []],
  ['all are older', 1, [4, 3, 2], [1, 11, 21]],
  ['a clock that was set back leaves no hole', 10, [30, 1, 30, 0], [1]],
  ['a clock that was ahead keeps what follows', 10, [-400, 30, 0], []],
  ['nothing is there', 10, [], []],
])('%s', (_what, keepDays, ages, gone) => {
  expect(firsts(outdated(segments(...ages), keepDays, noon))).toEqual(gone);
});

test('what a name says is read from it, whatever the time', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.double({ noNaN: true }), (before, more, newest) => {
      const named = { first: before + 1, last: before + 1 + more, newest };
      const read = readSegmentName(`/somewhere/${segmentName(named)}`);
      expect(read).toMatchObject({ first: named.first, last: named.last });
      if (newest >= 0 && newest < 2e14) expect(read?.newest).toBe(Math.floor(Math.abs(newest) / 1000) * 1000);
    }),
  );
});
