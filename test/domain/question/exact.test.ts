import fc from 'fast-check';
import { expect, test } from 'vitest';
import { broken, exact } from '../../../src/domain/question/exact.ts';
import { toldAgain } from './ask-of.ts';
import { hostileText, runs } from './hostile.ts';

const anyText = fc.oneof(
  hostileText(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme' }),
);

test('what is shown can be told again to the letter, also in lines of 20 characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(toldAgain(exact(text))).toBe(text);
      expect(toldAgain(broken(exact(text), 20))).toBe(text);
    }),
    runs,
  );
});

test('nothing in it is unseen, or hides others by its number', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = exact(text);
      expect(shown).not.toMatch(/[[\p{C}\p{Default_Ignorable_Code_Point}]--[\n\t\ufe0f]]/v);
      expect(shown).not.toMatch(/(?<!\p{Extended_Pictographic})\ufe0f/u);
      expect(shown).not.toMatch(/`{3}|[\p{Zs}\t]{24}|\n{5}|\p{M}{5}/u);
    }),
    runs,
  );
});

test('ordinary commands are shown as they are', () => {
  for (const text of [
    'ls -la\n\techo "ä 漢 😀 ❤️"',
    "cat <<'EOF'\n  a\n\n\nb\nEOF",
    'a `b` ``c``',
    `${' '.repeat(23)}x`,
  ])
    expect(exact(text)).toBe(text);
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
  expect(exact(text)).toBe(shown);
});

test('no line of a block is longer than it may be', () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      for (const line of broken(exact(text), 100).split('\n')) expect(line.length).toBeLessThanOrEqual(103);
    }),
    runs,
  );
});
