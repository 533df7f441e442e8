import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safe, safeJson, safeLine, safeProse } from '../../src/cli/output/safe.ts';
import { runs } from '../support/runs.ts';
import { escapePayloads } from './escape-payloads.ts';

const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Texts in which control characters are frequent: the plain string arbitrary hardly ever makes a sequence. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b',
        '\u009b',
        '\u001b[',
        '\u001b]',
        '\u0007',
        '\u001b\\',
        '\r',
        '\u0000',
        '\u202e',
        ';',
        '0',
        'm',
      ),
      fc.constantFrom(...escapePayloads.map(({ text }) => text)),
    ),
  )
  .map((parts) => parts.join(''));

test('at least sixty known payloads are tried', () => {
  expect(escapePayloads.length).toBeGreaterThanOrEqual(60);
  expect(new Set(escapePayloads.map(({ text }) => text)).size).toBe(escapePayloads.length);
});

test.each(escapePayloads)('$name leaves a terminal untouched', ({ text }) => {
  const shown = safe(`before${text}after`);
  expect(shown).not.toMatch(forbidden);
  expect(shown).not.toMatch(bidi);
  expect(shown).toMatch(/^before/);
  expect(safeLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(safeJson({ text })).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('whatever the text: no control character but newline and tab, nothing that reorders, well-formed', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = safe(text);
      expect(shown).not.toMatch(forbidden);
      expect(shown).not.toMatch(bidi);
      expect(shown.isWellFormed()).toBe(true);
      expect(safe(shown)).toBe(shown);
      expect(safeProse(text)).not.toMatch(forbidden);
      expect(safeProse(text)).not.toMatch(bidi);
      expect(safeLine(text)).not.toMatch(/[\n\t]/);
    }),
    { numRuns: runs(500) },
  );
});

test('JSON keeps its meaning and holds no control character in the raw', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const json = safeJson({ text });
      expect(JSON.parse(json)).toEqual({ text });
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(json).not.toMatch(bidi);
    }),
  );
});

test('ordinary text of any language stays as it is', () => {
  const texts = ['Grüße, naïve café', '你好，世界', 'السلام عليكم', 'नमस्ते', '🎉👍', 'a\tb\nc', 'x² ≤ y → z'];
  for (const text of texts) expect(safe(text)).toBe(text);
  const joined = ['می‌خواهم', 'क्‍ष', '👩‍💻'];
  for (const text of joined) expect(safeProse(text)).toBe(text);
});
