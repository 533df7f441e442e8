// A text of stretches of others: it reads as a string does, and reads no more of them than it needs.
import { expect, test } from 'vitest';
import { Edited } from '../../../src/secrets/outgoing/edited.ts';

/** Tells what was read of it. */
function told(text: string) {
  const reads: [from?: number, to?: number][] = [];
  return {
    reads,
    length: text.length,
    slice: (from?: number, to?: number) => {
      reads.push([from, to]);
      return text.slice(from, to);
    },
    charCodeAt: (at: number) => text.charCodeAt(at),
  };
}

test('of nothing there is nothing', () => {
  const none = new Edited();
  expect([none.length, none.slice(), none.slice(-3), none.slice(2, 5)]).toEqual([0, '', '', '']);
  expect(none.charCodeAt(0)).toBeNaN();
});

test('it reads as the string that was put together, wherever it is cut', () => {
  const edited = new Edited();
  edited.quote('0123456789', 2, 5);
  edited.add('‹one›');
  edited.quote('0123456789', 7, 9);
  edited.quote('abc', 0, 3);
  edited.quote('0123456789', 8, 10);
  edited.quote('0123456789', 0, 1);
  const string = '234‹one›78abc890';
  expect(edited.length).toBe(string.length);
  for (let from = -string.length - 2; from <= string.length + 1; from += 1) {
    expect(edited.slice(from)).toBe(string.slice(from));
    expect(edited.charCodeAt(from)).toBe(string.charCodeAt(from));
    for (let to = 0; to <= string.length + 1; to += 1)
      expect(edited.slice(from, to)).toBe(string.slice(from, to));
  }
});

test('a stretch that goes on is read as one, and one that is empty or turned around is none', () => {
  const source = told('0123456789');
  const edited = new Edited();
  edited.quote(source, 1, 3);
  edited.quote(source, 3, 6);
  edited.quote(source, 7, 7);
  edited.quote(source, 9, 2);
  edited.add('');
  edited.add('.');
  expect(edited.length).toBe(6);
  expect(edited.slice()).toBe('12345.');
  expect(source.reads).toEqual([[1, 6]]);
});

test('only stretches are read that the part wanted is in', () => {
  const sources = ['one', 'two', 'six'].map(told);
  const edited = new Edited();
  for (const source of sources) edited.quote(source, 0, 3);
  expect(edited.slice(3, 6)).toBe('two');
  expect(sources.map(({ reads }) => reads)).toEqual([[], [[0, 3]], []]);
});
