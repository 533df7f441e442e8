import { describe, expect, test } from 'vitest';
import { marker } from '../../src/base/text/marker.ts';
import { excerpt, visible } from '../../src/domain/safe-text.ts';

describe('what cannot be seen', () => {
  test.each([
    ['\u0000', '⟦U+0000⟧'],
    ['\u001b[2J', '⟦U+001B⟧[2J'],
    ['\r', '⟦U+000D⟧'],
    ['\u0085', '⟦U+0085⟧'],
    ['\u202e', '⟦U+202E⟧'],
    ['\u200b\u200d', '⟦U+200B⟧⟦U+200D⟧'],
    ['\u2028\u2029', '⟦U+2028⟧⟦U+2029⟧'],
    ['\u115f\u3164', '⟦U+115F⟧⟦U+3164⟧'],
    ['\u{e0041}', '⟦U+E0041⟧'],
  ])('%j is written as %s, wherever it stands', (hidden, shown) => {
    expect(visible(`a${hidden}b${hidden}`)).toBe(`a${shown}b${shown}`);
  });

  test('is written once with its number where several of the same stand in a row', () => {
    expect(visible('a\u202e\u202e\u200b\u202e\u{e0041}\u{e0041}\u{e0041}b')).toBe(
      'a⟦U+202E×2⟧⟦U+200B⟧⟦U+202E⟧⟦U+E0041×3⟧b',
    );
    expect(marker()('\uffff\uffff\u{10000}\u{10000}')).toBe('⟦U+FFFF×2⟧⟦U+10000×2⟧');
  });

  test.each(['a\tb\nc', 'Grüße', '漢字', '❤️ and 😀', 'x ≤ y'])('%j stays as it is', (text) => {
    expect(visible(text)).toBe(text);
  });
});

describe('an excerpt', () => {
  test('of 1,200 characters is all of them', () => {
    const text = 'x'.repeat(1_200);
    expect(excerpt(text)).toEqual({ text, hidden: 0 });
    expect(excerpt('')).toEqual({ text: '', hidden: 0 });
  });

  test('of more has 800 characters from its head and 400 from its tail, and counts the rest', () => {
    expect(excerpt(`${'a'.repeat(800)}b${'c'.repeat(400)}`)).toEqual({
      text: `${'a'.repeat(800)}\n[… 1 characters not shown …]\n${'c'.repeat(400)}`,
      hidden: 1,
    });
  });

  test('that cuts a character in two is well-formed all the same', () => {
    const { text } = excerpt(`${'a'.repeat(799)}😀${'b'.repeat(500)}😀${'c'.repeat(399)}`);
    expect(text.isWellFormed()).toBe(true);
    expect(text.startsWith(`${'a'.repeat(799)}\ufffd\n`)).toBe(true);
    expect(text.endsWith(`\n\ufffd${'c'.repeat(399)}`)).toBe(true);
  });
});
