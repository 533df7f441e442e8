// What is known by its value: its forms, where they stand, and where one of them may begin.
import { expect, test } from 'vitest';
import { beginningAt, formsOf, ownKind, valuePlaces } from '../../../src/secrets/outgoing/values.ts';

test('a value counts from eight characters on, in each of its forms once, the longest first', () => {
  expect(formsOf(['1234567', '12345678'])).toEqual(['12345678']);
  expect(formsOf(['a "b" c d', 'plain-value'])).toEqual([
    'a%20%22b%22%20c%20d',
    'a \\"b\\" c d',
    'plain-value',
    'a "b" c d',
  ]);
});

test('half of a pair of units does no harm', () => {
  expect(formsOf(['half a \ud83d'])).toEqual(['half%20a%20%EF%BF%BD', 'half a \\ud83d', 'half a \ud83d']);
});

const at = (start: number, end: number) => ({ start, end, kind: ownKind });

test('each place of a form is told, in the order of the text', () => {
  expect(ownKind).toBe('known to the bridge');
  expect(valuePlaces('xx', ['abc'])).toEqual([]);
  expect(valuePlaces('de abc abc de', ['abc', 'de'])).toEqual([at(0, 2), at(3, 6), at(7, 10), at(11, 13)]);
});

test('no place is over another one: that of the form which comes first counts', () => {
  expect(valuePlaces('ababab', ['abab'])).toEqual([at(0, 4)]);
  expect(valuePlaces('abcdef', ['cd', 'bcd', 'cde', 'abcdef', 'cd', 'b', 'ef'])).toEqual([
    at(1, 2),
    at(2, 4),
    at(4, 6),
  ]);
});

test.each([
  ['no beginning', 'nothing', 7],
  ['a sign', 'nothing a', 8],
  ['most of a form', 'nothing abab', 8],
  ['the earliest of them, though a later one begins, too', 'abab ab aba', 8],
  ['no whole form', 'nothing ababc', 13],
  ['the beginning that belongs to another form', 'axa ab xyz', 7],
  ['nothing', '', 0],
])('of a text that ends with %s, the last characters wait', (_, text, from) =>
  expect(beginningAt(text, ['ababc', 'xyzabcdefg'])).toBe(from),
);

test('the earliest beginning counts, whichever form it is of', () => {
  expect(beginningAt('so ab', ['abc', 'bcd'])).toBe(3);
  expect(beginningAt('so ab', ['bcd', 'abc'])).toBe(3);
  expect(beginningAt('aba', ['ababc'])).toBe(0);
});
