import { expect, test } from 'vitest';
import { endsLike, maskedWords, withoutMaskedWords } from '../../src/domain/words/masked-words.ts';

test('an answer says how many secrets it lacks', () => {
  expect(maskedWords(0)).toBe('');
  expect(maskedWords(1)).toBe('_1 secret was masked in this answer (`mask` in the configuration)._');
  expect(maskedWords(2)).toContain('2 secrets were masked');
});

test('a message of ours is known again without these words', () => {
  expect(withoutMaskedWords(`Done.\n\n${maskedWords(1)}`)).toBe('Done.');
  expect(withoutMaskedWords(`Done.\n\n${maskedWords(12)}\n`)).toBe('Done.');
  expect(withoutMaskedWords('1 secret was masked in this answer.')).toBe(
    '1 secret was masked in this answer.',
  );
});

test.each([
  ['Here it is: x1. Bye.', 'is: x1. Bye.', true],
  ['Here it is: ‹secret: PIN›. Bye.', 'is: 4711. Bye.', true],
  ['It is ‹secret: PIN›, or ‹secret: PIN›', 'It is 4711, or 4712', true],
  ['‹secret: PIN›', '4711', true],
  ['Here it is: ‹secret: PIN›. Bye.', 'is: 4711. Good bye.', false],
  ['a ‹secret: PIN› b ‹secret: PIN› c', 'a 1 x 2 c', false],
  ['It was: ‹secret: PIN›. Bye.', 'It is: 4711. Bye.', false],
  ['Here it is.', 'is: 4711.', false],
])('%j ends as %j: %j', (said, end, is) => expect(endsLike(said, end)).toBe(is));
