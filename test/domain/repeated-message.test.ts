import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, addDelta, isWhole, missingText, noAnswer } from '../../src/domain/state/answer.ts';

/** A message in these batches. */
const message = (id: string, batches: readonly string[], straight?: true) =>
  batches.map((text, index) => ({
    message: id,
    index,
    text,
    final: index === batches.length - 1,
    ...(straight && { straight }),
  }));
type Piece = ReturnType<typeof message>[number];

/** The answer behind each piece. */
function growing(pieces: readonly Piece[]): Answer[] {
  let answer = noAnswer;
  return pieces.map((piece) => {
    answer = addDelta(answer, piece);
    return answer;
  });
}
const texts = (pieces: readonly Piece[]) => growing(pieces).map(({ text }) => String(text));
const answerOf = (pieces: readonly Piece[]): Answer => growing(pieces).at(-1) ?? noAnswer;

test('a message that says the one before once more waits, and goes on where that was cut off', () => {
  const cut = message('a', ['The kettle\n', '']);
  const again = message('b', ['The ', 'kettle\nis', ' hot.\n', ''], true);
  const [, , ...behind] = texts([...cut, ...again]);
  expect(behind).toEqual([
    'The kettle\n',
    'The kettle\nis',
    'The kettle\nis hot.\n',
    'The kettle\nis hot.\n',
  ]);
  const answer = answerOf([...cut, ...again]);
  expect([isWhole(answer, 'The kettle\nis hot.'), missingText(answer, 'The kettle\nis hot.')]).toEqual([
    true,
    '',
  ]);
});

test('a message that is cut off twice is said once', () => {
  const pieces = [
    ...message('a', ['one\n', '']),
    ...message('b', ['one\n', 'two\n', ''], true),
    ...message('c', ['one\ntwo\n', 'three\n', ''], true),
  ];
  expect(texts(pieces).at(-1)).toBe('one\ntwo\nthree\n');
});

test('the same message once more adds nothing', () => {
  const pieces = [...message('a', ['one\n', '']), ...message('b', ['one\n', ''], true)];
  expect(texts(pieces).at(-1)).toBe('one\n');
  expect(isWhole(answerOf(pieces), 'one')).toBe(true);
});

test.each([
  ['begins in another way', ['two\n', '']],
  ['differs later', ['one\n', 'four\n', '']],
  ['is shorter', ['one\n', '']],
])('a message that %s is a paragraph of its own', (_, batches) => {
  const pieces = [...message('a', ['one\ntwo\n', '']), ...message('b', batches, true)];
  expect(texts(pieces).at(-1)).toBe(`one\ntwo\n\n${batches.join('')}`);
});

test('without the mark nothing is held back, as in journals from before', () => {
  const pieces = [...message('a', ['one\n', '']), ...message('b', ['one\n', 'two\n', ''])];
  expect(texts(pieces)).toEqual(['one\n', 'one\n', 'one\n\none\n', 'one\n\none\ntwo\n', 'one\n\none\ntwo\n']);
});

test('what was cut off once more is not said once more when the turn ends', () => {
  const pieces = [...message('a', ['one\ntwo\n', '']), ...message('b', ['one\n', 'x'], true).slice(0, 1)];
  expect(texts(pieces).at(-1)).toBe('one\ntwo\n');
  expect(missingText(answerOf(pieces), undefined)).toBe('');
});

test('however a text is cut and told again, readers get it once, and never less than before', () => {
  const parts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 8,
  });
  const order = fc.infiniteStream(fc.nat());
  fc.assert(
    fc.property(parts, parts, fc.nat(7), order, (first, rest, at, ranks) => {
      const cut = [...first.slice(0, 1 + (at % first.length)), ''];
      const whole = [...first, ...rest, ''];
      const rank = new Map(whole.map((_, index) => [index, Number(ranks.next().value)]));
      const again = message('b', whole, true).sort(
        (a, b) => (rank.get(a.index) ?? 0) - (rank.get(b.index) ?? 0),
      );
      const seen = texts([...message('a', cut), ...again]);
      for (const [index, text] of seen.entries()) expect(text.startsWith(seen[index - 1] ?? '')).toBe(true);
      expect(seen.at(-1)).toBe(whole.join(''));
    }),
  );
});
