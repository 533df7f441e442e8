import { describe, expect, test } from 'vitest';
import { chosenOption, dialogOf, isDialog, numberIn } from '../../../src/domain/question/dialog-question.ts';
import { unfitForDialog } from '../../../src/domain/question/dialog-words.ts';
import { outcomeText } from '../../../src/domain/question/outcome.ts';
import { cardText } from '../../../src/domain/question/whole-text.ts';
import { askOf } from './ask-of.ts';

const input = { dialog: 'd', words: 'Proceed?', options: ['No', 'Yes', '3rd'] };
const tool = 'Claude Code dialog';

describe('a number chooses an option, and nothing else does', () => {
  test.each(['2', ' 2 ', '2.', '２', '2\ufe0f\u20e3'])('%j', (said) => {
    expect(chosenOption(input, said)).toEqual({ number: 2, words: '2. Yes' });
    expect(unfitForDialog(input, said)).toBeUndefined();
  });

  test.each(['', 'yes', 'Yes', '0', '4', '-1', '1.5', '2 3', '2,3', '3rd', '"2"', '2. Yes', 'esc'])(
    '%j',
    (said) => {
      expect(chosenOption(input, said)).toBeUndefined();
      expect(unfitForDialog(input, said)?.fact).toContain('The options are 1 to 3');
    },
  );

  test('nor does one where nothing can be chosen', () => {
    const form = { ...input, options: [] };
    expect(chosenOption(form, '1')).toBeUndefined();
    expect(unfitForDialog(form, '1')?.fact).toContain('A no presses Esc');
  });
});

test('the number is read from the words that are kept', () => {
  expect(numberIn('12. 3 of them')).toBe(12);
  expect(numberIn('')).toBeNaN();
});

test('a lent tool of this name is none, and neither is an input of another form', () => {
  expect(isDialog({ tool, call: 'c1' })).toBe(false);
  expect(isDialog({ tool })).toBe(true);
  expect(dialogOf({ tool, input: { words: 'Proceed?' } })).toBeUndefined();
  expect(dialogOf({ tool: 'Bash', input })).toBeUndefined();
});

test('no button answers it', () => {
  expect(cardText(askOf({ tool, input }))).toBeUndefined();
});

test.each([
  ['allow', '2. Yes', 'answered with "2. Yes" in the chat by alice'],
  ['deny', undefined, 'answered with Esc in the chat by alice'],
] as const)('its outcome names what was chosen (%s)', (verdict, reason, words) => {
  const said = reason === undefined ? {} : { reason };
  const state = { name: 'settled', verdict, by: 'chat', who: 'alice', outcome: 'applied', ...said } as const;
  expect(outcomeText(askOf({ tool, input, state }))).toContain(words);
});
