// What is left of a foreign text, to the letter: neither more nor less than what could do harm is gone.
import { describe, expect, test } from 'vitest';
import { safe, safeJson, safeLine, safeProse, safeRow } from '../../src/cli/output/safe.ts';

describe('of a sequence nothing is left, and of its neighbours everything', () => {
  test.each([
    ['a colour', '\u001b[1;31m'],
    ['a CSI in one byte', '\u009b2J'],
    ['a CSI without parameters', '\u001b[H'],
    ['a CSI with private parameters', '\u001b[?1049h'],
    ['a CSI with intermediates', '\u001b[0!  p'],
    ['an OSC that a bell ends', '\u001b]0;title\u0007'],
    ['an OSC that ST ends', '\u001b]52;c;aGk=\u001b\\'],
    ['an OSC that a one-byte ST ends', '\u001b]8;;x\u009c'],
    ['an OSC in one byte', '\u009d0;title\u0007'],
    ['an empty OSC', '\u001b]\u0007'],
    ['a DCS', '\u001bPq#0\u001b\\'],
    ['a DCS in one byte', '\u0090q#0\u009c'],
    ['an SOS', '\u001bXx\u001b\\'],
    ['an SOS in one byte', '\u0098x\u009c'],
    ['a PM', '\u001b^x\u001b\\'],
    ['a PM in one byte', '\u009ex\u009c'],
    ['an APC', '\u001b_x\u001b\\'],
    ['an APC in one byte', '\u009fx\u009c'],
    ['a charset', '\u001b(0'],
    ['an escape of three bytes with two intermediates', '\u001b$(C'],
    ['an escape of two bytes', '\u001bc'],
    ['a lone control', '\u0000'],
    ['a backspace', '\b'],
    ['a form feed', '\f'],
    ['a delete', '\u007f'],
    ['a C1 control', '\u0085'],
  ])('%s', (_, sequence) => {
    expect(safe(`ab${sequence}cd${sequence}ef`)).toBe('abcdef');
    expect(safeProse(`ab${sequence}cd${sequence}ef`)).toBe('abcdef');
  });

  test('an unfinished one loses its introducer only, so nothing hides in it', () => {
    expect(safe('a\u001b]0;rm -rf ~')).toBe('a0;rm -rf ~');
    expect(safe('a\u009d0;rm')).toBe('a0;rm');
    expect(safe('a\u001b]x\u001b[31my\u0007')).toBe('axy');
    expect(safe('a\u001b')).toBe('a');
    expect(safe('a\u001b(')).toBe('a');
    expect(safe('a\u001b(\n')).toBe('a\n');
  });
});

test('line ends of every kind are one line feed', () => {
  expect(safe('a\r\nb\rc\u2028d\u2029e\nf')).toBe('a\nb\nc\nd\ne\nf');
  expect(safe('a\r\r\nb')).toBe('a\n\nb');
});

test('what cannot be seen is named', () => {
  for (const [char, code] of [
    ['\u202e', '202E'],
    ['\u200b', '200B'],
    ['\ufeff', 'FEFF'],
    ['\u00ad', '00AD'],
    ['\u115f', '115F'],
    ['\u1160', '1160'],
    ['\u3164', '3164'],
    ['\uffa0', 'FFA0'],
    ['\u034f', '034F'],
    ['\u{e0041}', 'E0041'],
  ] as const)
    expect(safe(`a${char}b${char}`)).toBe(`a⟦U+${code}⟧b⟦U+${code}⟧`);
});

test('many of what cannot be seen are named once, with their number', () => {
  expect(safe('a\u202e\u202e\u202eb\u200b\ufeff')).toBe('a⟦U+202E×3⟧b⟦U+200B⟧⟦U+FEFF⟧');
});

test('Arabic and Kaithi number signs are seen, and stay', () => {
  const signs = '\u0600\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}';
  expect(safe(signs)).toBe(signs);
});

test('joiners and variation selectors stay in prose and go where cells are counted', () => {
  const text = 'a\u200cb\u200dc\ufe00d\ufe0fe\u200d\u200d';
  expect(safeProse(text)).toBe(text);
  expect(safe(text)).toBe('abcde');
});

test('a letter keeps four marks', () => {
  expect(safe(`a${'\u0301'.repeat(4)}b`)).toBe(`a${'\u0301'.repeat(4)}b`);
  expect(safe(`a${'\u0301'.repeat(9)}b${'\u0300'.repeat(5)}`)).toBe(
    `a${'\u0301'.repeat(4)}b${'\u0300'.repeat(4)}`,
  );
});

test('half a character is a replacement character', () => {
  expect(safe('a\ud800b')).toBe('a\ufffdb');
});

test('plain text is the same text, with its tabs and line ends', () => {
  expect(safe(' a\tb\n~')).toBe(' a\tb\n~');
  expect(safeProse(' a\tb\n~')).toBe(' a\tb\n~');
  expect(safe('')).toBe('');
});

test('a row has one blank for every run of them', () => {
  expect(safeLine('a\n\n b\t \tc d\r\ne')).toBe('a b c d e');
});

test('a row that is laid out keeps its columns: each line end and tab is one blank', () => {
  expect(safeRow('a  b\tc\n\nd')).toBe('a  b c  d');
  expect(safeRow('a\u001b[2J\r\nb')).toBe('a b');
});

test('JSON names what would reorder or hide, in lower case and four digits', () => {
  const chars = '\u007f\u009f\u00ad\u061c\u200b\u200f\u2028\u202e\u2060\u206f\ufeff';
  expect(safeJson(chars)).toBe(
    '"\\u007f\\u009f\\u00ad\\u061c\\u200b\\u200f\\u2028\\u202e\\u2060\\u206f\\ufeff"',
  );
  expect(safeJson('ä ‘x’ 漢')).toBe('"ä ‘x’ 漢"');
});
