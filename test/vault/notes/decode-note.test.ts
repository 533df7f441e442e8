import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNote } from '../../../src/vault/notes/decode-note.ts';
import { runs } from '../../support/runs.ts';

const bytes = (...all: (string | number)[]): Uint8Array =>
  Buffer.concat(all.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.from([each]))));

test('reads UTF-8, without its mark', () => {
  expect(decodeNote(bytes(0xef, 0xbb, 0xbf, 'Grüße, 你好'))).toBe('Grüße, 你好');
});

test('reads UTF-16 of both orders', () => {
  const little = Buffer.from('\ufeffGrüße', 'utf16le');
  expect(decodeNote(little)).toBe('Grüße');
  expect(decodeNote(Buffer.from(little).swap16())).toBe('Grüße');
});

test('ends lines of Windows as all others, each where it was', () => {
  expect(decodeNote(bytes('a\r\n\r\nb\nc\rd\r\n'))).toBe('a\n\nb\nc\rd\n');
});

test('takes a file with a NUL in its beginning for binary', () => {
  expect(decodeNote(bytes('text', 0, 'text'))).toBeUndefined();
  expect(decodeNote(bytes('x'.repeat(8 * 1024 - 1), 0))).toBeUndefined();
  expect(decodeNote(bytes('x'.repeat(8 * 1024), 0))).toMatch(/^x+\0$/);
});

test('takes what is hardly UTF-8 for binary, and a word in an older encoding not', () => {
  expect(decodeNote(bytes('ab', 0xff, 0xfe, 0x80, 0x81))).toBeUndefined();
  expect(decodeNote(bytes('Gr', 0xfc, 'n ist die Farbe'))).toBe('Gr\ufffdn ist die Farbe');
});

test('has nothing against an empty file', () => expect(decodeNote(bytes())).toBe(''));

test('gives back every text that was written as UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[\0\r\ufeff\ufffd]/.test(text));
      expect(decodeNote(Buffer.from(text))).toBe(text);
    }),
    { numRuns: runs(200) },
  );
});
