// What `npm run bench:counts` says of counts that changed.
import { expect, test } from 'vitest';
import { changes, isAllowed, renderChanges } from '../../bench/counts/counts.ts';

const kindOf = (recorded: number | undefined, found: number | undefined, name = 'ps: files') =>
  changes(recorded === undefined ? {} : { [name]: recorded }, found === undefined ? {} : { [name]: found })[0]
    ?.kind;

test.each([
  [2, 2, 'same', true],
  [2, 1, 'fallen', true],
  [2, 3, 'risen', false],
  [undefined, 3, 'new', false],
  [3, undefined, 'gone', false],
  [0, 1, 'risen', false],
])('%s recorded and %s found is %s', (recorded, found, kind, allowed) => {
  const [change] = changes(
    recorded === undefined ? {} : { n: recorded },
    found === undefined ? {} : { n: found },
  );
  expect(change?.kind).toBe(kind);
  expect(change && isAllowed(change)).toBe(allowed);
});

test("two percent more or less of bytes are nobody's decision, and anything else is", () => {
  const name = 'up: bytes';
  expect([1020, 980, 1021, 979].map((found) => kindOf(1000, found, name))).toEqual([
    'same',
    'same',
    'risen',
    'fallen',
  ]);
  expect(kindOf(1000, 1001, 'a turn: rows')).toBe('risen');
});

test('each count is a line with what it is, what it was, and what changed', () => {
  expect(renderChanges(changes({ a: 2, 'b: bytes': 10 }, { a: 3, 'b: bytes': 10 }))).toBe(
    ['a                3         2  risen', 'b: bytes        10        10'].join('\n'),
  );
});
