import { expect, test } from 'vitest';
import { before, indentOf, rest } from '../../src/secrets/passwords/lines.ts';

const x = (times: number): string => 'x'.repeat(times);

test.each([
  ['ab', 0, ''],
  ['ab', 1, 'a'],
  ['a\nbc', 3, 'b'],
  ['a\nbc', 2, ''],
  ['a\nb\ncd', 5, 'c'],
  [x(200), 160, x(160)],
  [`y${x(200)}`, 161, x(160)],
])('before %j at %d', (text, at, expected) => expect(before(text, at)).toBe(expected));

test.each([
  ['', 0, { line: '', isWhole: true, next: 0 }],
  ['ab', 1, { line: 'b', isWhole: true, next: 2 }],
  ['ab\ncd', 1, { line: 'b', isWhole: true, next: 3 }],
  ['ab\r\ncd', 1, { line: 'b', isWhole: true, next: 4 }],
  ['a\rb\ncd', 0, { line: 'a\rb', isWhole: true, next: 4 }],
  [`\n${x(500)}`, 0, { line: '', isWhole: true, next: 1 }],
  [`yy${x(400)}`, 2, { line: x(400), isWhole: true, next: 402 }],
  [`yy${x(401)}`, 2, { line: x(400), isWhole: false, next: 403 }],
  [`${x(600)}`, 100, { line: x(400), isWhole: false, next: 600 }],
  [`${x(399)}\ny`, 0, { line: x(399), isWhole: true, next: 400 }],
  [`${x(400)}\ny`, 0, { line: x(400), isWhole: false, next: 402 }],
])('behind %j at %d', (text, at, expected) => expect(rest(text, at)).toEqual(expected));

test.each([
  ['', 0],
  ['ab c', 0],
  [' \tab', 2],
  ['> ab', 2],
  [' > >\t ab > c', 6],
  ['>ab', 0],
  [' >', 1],
])('the indent of %j is %d', (line, expected) => expect(indentOf(line)).toBe(expected));
