import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf } from '../../../src/vault/search/excerpt.ts';
import { stemsOf } from '../../../src/vault/search/stems.ts';
import { runs } from '../../support/runs.ts';

const filler = (lines: number) => Array.from({ length: lines }, (_, at) => `nothing of interest, line ${at}`);

test('a short text is shown as it is', () => {
  expect(excerptOf('a\nb', 7, stemsOf('b'))).toEqual({ line: 7, text: 'a\nb' });
});

test('of a long one the lines are shown that hold most of the words, with their own line number', () => {
  const text = [...filler(30), 'the rent is paid', 'on the first of May', ...filler(30)].join('\n');
  const { line, text: shown } = excerptOf(text, 100, stemsOf('rent May'));
  expect(shown).toContain('the rent is paid\non the first of May');
  expect(text.split('\n')[line - 100]).toBe(shown.split('\n')[0]);
  expect(shown.length).toBeLessThanOrEqual(560);
});

test('a line that is too long is shown around the word', () => {
  const text = `${'x '.repeat(2_000)}budget ${'y '.repeat(2_000)}`;
  const { text: shown } = excerptOf(text, 1, stemsOf('budgets'));
  expect(shown).toMatch(/^… .*budget.* …$/);
  expect(shown.length).toBeLessThan(570);
});

test('whatever the text is, the excerpt is bounded and begins in one of its lines', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1_500 }), fc.string(), (text, question) => {
      const { line, text: shown } = excerptOf(text, 1, stemsOf(question));
      expect(shown.length).toBeLessThanOrEqual(564);
      expect(line).toBeLessThanOrEqual(text.split('\n').length);
    }),
    { numRuns: runs(100) },
  );
});
