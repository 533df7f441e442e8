import fc from 'fast-check';
import { expect, test } from 'vitest';
import { broken, exact, mostDrawn } from '../../../src/domain/question/exact.ts';
import { runs } from '../../support/runs.ts';
import { toldAgain } from './ask-of.ts';
import { hostileRuns, hostileText } from './hostile.ts';

const anyText = fc.oneof(
  hostileText(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme' }),
);

test('what is shown can be told again to the letter, also in lines of 20 characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(toldAgain(exact(text).text)).toBe(text);
      expect(toldAgain(broken(exact(text).text, 20))).toBe(text);
    }),
    { numRuns: hostileRuns },
  );
});

test('nothing in it is unseen, or hides others by its number', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = exact(text).text;
      expect(shown).not.toMatch(/[[\p{C}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]/v);
      expect(shown).not.toMatch(/(?<!\p{Extended_Pictographic})\ufe0f/u);
      expect(shown).not.toMatch(/`{3}|[\p{Zs}\t]{24}|\n{5}|\p{M}{5}/u);
    }),
    { numRuns: hostileRuns },
  );
});

test('ordinary commands are shown as they are', () => {
  for (const text of [
    'ls -la\n\techo "ä 漢 😀 ❤️"',
    "cat <<'EOF'\n  a\n\n\nb\nEOF",
    'a `b` ``c``',
    `${' '.repeat(23)}x`,
  ])
    expect(exact(text).text).toBe(text);
});

test.each([
  [' '.repeat(200), '⟦U+0020×200⟧'],
  ['\n'.repeat(40), '⟦U+000A×40⟧'],
  ['````', '⟦U+0060×4⟧'],
  ['a\u202eb', 'a⟦U+202E⟧b'],
  ['\r', '⟦U+000D⟧'],
  ['⟦U+0041⟧', '⟦U+27E6⟧U+0041⟧'],
  ['rm\ufe0f', 'rm⟦U+FE0F⟧'],
  ['\ud800', '⟦U+D800⟧'],
])('%j is %s', (text, shown) => {
  expect(exact(text).text).toBe(shown);
});

test('of a text that holds more than anybody reads the beginning is drawn, and what is missing is counted', () => {
  const { characters, longer } = mostDrawn;
  fc.assert(
    fc.property(
      anyText.filter((text) => text !== ''),
      (text) => {
        const long = text.repeat(Math.ceil(400_000 / text.length));
        const { text: shown, missing } = exact(long);
        expect(missing).toBeGreaterThanOrEqual(long.length - characters);
        expect(toldAgain(shown)).toBe(long.slice(0, long.length - missing));
        // The last run of a thousand characters may go beyond it.
        expect(shown.length).toBeLessThan(characters + longer + 12_000);
      },
    ),
    { numRuns: runs(50) },
  );
  expect(exact('a'.repeat(characters))).toEqual({ text: 'a'.repeat(characters), missing: 0 });
  expect(exact('a'.repeat(characters + 7)).missing).toBe(7);
  expect(exact(`${'a'.repeat(characters - 1)}😀`)).toEqual({ text: 'a'.repeat(characters - 1), missing: 2 });
  expect(exact(`${'a'.repeat(characters - 1)}\uffffb`).missing).toBe(1);
  // Seven characters more for each of these, five for each of those.
  const full = `${'a\u202e'.repeat(Math.floor(longer / 7) - 8)}${'a\n\n\n\n\n'.repeat(12)}`;
  expect(exact(`${full}b`).missing).toBe(0);
  expect(exact(`${full}\u202eb`).missing).toBe(1);
  expect(exact(`${'a\u202e'.repeat(longer / 7 + 2)}b`).missing).toBe(3);
});

test('no line of a block is longer than it may be', () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      for (const line of broken(exact(text).text, 100).split('\n'))
        expect(line.length).toBeLessThanOrEqual(103);
    }),
    { numRuns: hostileRuns },
  );
});
