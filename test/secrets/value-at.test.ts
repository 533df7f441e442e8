import { expect, test } from 'vitest';
import { valueAt } from '../../src/secrets/passwords/value.ts';

const blanks = (count: number): string => ' '.repeat(count);

test.each([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['‚', '‘'],
  ['«', '»'],
])('a quotation from %s to %s', (open, close) =>
  expect(valueAt(` ${open}hunter2${close}`, false)).toEqual({ start: 2, value: 'hunter2', quoted: true }),
);

test.each([...' \t,;.:|)]}*_<?', '` ', '`,', '`;', '`.', '`:', '`)', '`|', '`'])(
  'a quotation ends before %j',
  (after) => expect(valueAt(`"hunter2"${after}`, true)).toEqual({ start: 1, value: 'hunter2', quoted: true }),
);

test.each(['"hunter2"x', '"hunter2"x,', '"hunter2"`x', '"hunter2', '""', '"'])(
  '%s is no quotation',
  (value) => expect(valueAt(` ${value}`, true)).toEqual({ start: 1, value, quoted: false }),
);

test('a quotation of several words is no value', () => {
  expect(valueAt('"hunter 2"', true)).toBeUndefined();
});

test.each([
  '',
  ' ',
  blanks(20),
  '\t',
  '\r',
  ' | x',
  ' # x',
  '\t// x',
  ' -- x',
  ' (x)',
  ' <!-- x',
  ' ← x',
  ' ^x',
  `${blanks(21)}# x`,
])('a value ends before %j', (after) =>
  expect(valueAt(`hunter2${after}`, true)).toEqual({ start: 0, value: 'hunter2', quoted: false }),
);

test.each([' x', '\tx # x', blanks(21), `${blanks(22)}# x`])(
  'a value does not stand alone before %j',
  (after) => expect(valueAt(`hunter2${after}`, true)).toBeUndefined(),
);

test('a value whose end is not seen is none, unless something closes it', () => {
  expect(valueAt('hunter2', false)).toBeUndefined();
  expect(valueAt('hunter2 ', false)).toEqual({ start: 0, value: 'hunter2', quoted: false });
});

test.each(['', ' ', '\u00a0x', '\n|'])('nothing is read from %j', (rest) =>
  expect(valueAt(rest, true)).toBeUndefined(),
);

test('blanks and values have bounds', () => {
  expect(valueAt(`${blanks(20)}\t${blanks(19)}hunter2`, true)?.start).toBe(40);
  expect(valueAt(`${blanks(41)}|`, true)).toBeUndefined();
  expect(valueAt('x'.repeat(200), true)?.value).toHaveLength(200);
  expect(valueAt('x'.repeat(201), true)).toBeUndefined();
});
