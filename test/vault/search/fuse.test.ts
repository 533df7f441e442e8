import { expect, test } from 'vitest';
import { fused } from '../../../src/vault/search/fuse.ts';
import type { RankedNote } from '../../../src/vault/search/rank-notes.ts';

/** A note with one part in each of these lines. */
const note = (file: string, ...lines: number[]): RankedNote => ({
  file,
  score: 1,
  parts: (lines.length > 0 ? lines : [1]).map((line) => ({
    file,
    line,
    title: file,
    heading: '',
    text: `${file} ${line}`,
    score: 1,
  })),
});
const notes = (names: string): RankedNote[] => [...names].map((name) => note(name));
const names = (order: readonly RankedNote[]): string => order.map(({ file }) => file).join('');

test('one order alone stays as it is', () => {
  expect(names(fused(notes('abc'), []))).toBe('abc');
  expect(names(fused([], notes('abc')))).toBe('abc');
  expect(fused([], [])).toEqual([]);
});

test('of notes that have the words, those that are near as well come before', () => {
  expect(names(fused(notes('abcde'), notes('e')))).toBe('aebcd');
  expect(names(fused(notes('abc'), notes('cz')))).toBe('cabz');
});

test('what is near without the words comes in behind those that have them, and before those that hardly do', () => {
  expect(names(fused(notes('abcdefgh'), notes('z'))).slice(0, 8)).toBe('abcdefgh');
  const many = Array.from({ length: 40 }, (_, at) => note(`note ${at}`));
  const at = fused(many, notes('z')).findIndex(({ file }) => file === 'z');
  expect(at).toBeGreaterThan(10);
  expect(at).toBeLessThan(15);
});

test('a note that is first for its words stays among the first five, whatever is near', () => {
  const words = notes('abcdefghij');
  for (const near of ['jihgfedcb', 'bcdefghij', 'zyxwv', 'hijbcd'])
    expect(names(fused(words, notes(near))).indexOf('a')).toBeLessThan(5);
});

test('a note shows its parts with the words first, and each part once', () => {
  const [both] = fused([note('a', 7, 3)], [note('a', 1, 7)]);
  expect(both?.parts.map(({ line }) => line)).toEqual([7, 3, 1]);
});

test('its scores fall from the first to the last', () => {
  const scores = fused(notes('abcdef'), notes('fxa')).map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});
