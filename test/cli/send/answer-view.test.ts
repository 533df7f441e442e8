import { afterEach, expect, test, vi } from 'vitest';
import { AnswerView } from '../../../src/cli/send/answer-view.ts';

afterEach(() => vi.restoreAllMocks());

/** Everything that is written from now on. */
function written(): string[] {
  const texts: string[] = [];
  const take = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  return texts;
}

test('what comes while a question is open comes behind it, in its order', () => {
  const texts = written();
  using view = new AnswerView();
  view.text('first\n');
  const release = view.hold();
  view.text('Allow it?\n');
  view.say('it was answered');
  expect(texts).toEqual(['first\n']);
  release();
  expect(texts).toEqual(['first\n', 'Allow it?\n', 'it was answered\n']);
});

test('an answer ends with its line, once', () => {
  const texts = written();
  const view = new AnswerView();
  view.text('well');
  view[Symbol.dispose]();
  view[Symbol.dispose]();
  expect(texts.join('')).toBe('well\n');
});
