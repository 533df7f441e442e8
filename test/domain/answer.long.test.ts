import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, addDelta, missingText, noAnswer } from '../../src/domain/state/answer.ts';

interface Piece {
  message: string;
  index: number;
  text: string;
  final: boolean;
}

const delta = (piece: Piece) => ({ type: 'answer.delta' as const, turn: 't', ...piece });
const fold = (pieces: Piece[]): Answer =>
  pieces.reduce((answer, piece) => addDelta(answer, delta(piece)), noAnswer);

/** Messages as Claude Code sends them: contiguous indexes, the last one final. */
const messages = fc
  .array(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((texts) =>
    texts.map((lines, m) =>
      lines.map((text, index) => ({ message: `m${m}`, index, text, final: index === lines.length - 1 })),
    ),
  );

test('pieces of one message in any order, with repeats, give the text in order', () => {
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (all, order) => {
      const pieces = all[0] ?? [];
      const shuffled = [...pieces, ...pieces]
        .map((piece) => ({ piece, rank: order.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ piece }) => piece);
      expect(String(fold(shuffled).text)).toBe(pieces.map((piece) => piece.text).join(''));
    }),
  );
});

test('what a reader has seen is never changed, only continued', () => {
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (all, order) => {
      const shuffled = all
        .flat()
        .map((piece) => ({ piece, rank: order.next().value as number }))
        .sort((a, b) => a.rank - b.rank);
      let answer = noAnswer;
      for (const { piece } of shuffled) {
        const next = addDelta(answer, delta(piece));
        expect(String(next.text).startsWith(String(answer.text))).toBe(true);
        answer = next;
      }
    }),
  );
});

test("whichever pieces of the last message are lost, Claude's own copy of it completes the answer", () => {
  fc.assert(
    fc.property(messages, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (all, keep) => {
      const last = (all.at(-1) ?? []).map((piece) => piece.text).join('');
      const pieces = all.slice(0, -1).flat();
      const kept = (all.at(-1) ?? []).filter((piece) => keep[piece.index]);
      const answer = fold([...pieces, ...kept]);
      const whole = String(answer.text) + missingText(answer, last.trimEnd());
      expect(whole.trimEnd().endsWith(last.trimEnd())).toBe(true);
    }),
  );
});

test('whichever pieces are lost, those that came are told once, and the last message is whole', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), (all, lost) => {
      const pieces = all.map((size, m) =>
        Array.from({ length: size }, (_, index) => ({
          message: `m${m}`,
          index,
          text: `[${m}.${index}]`,
          final: index === size - 1,
        })),
      );
      const came = pieces.flat().filter(() => !lost.next().value);
      const last = (pieces.at(-1) ?? []).map(({ text }) => text).join('');
      const answer = fold(came);
      const whole = String(answer.text) + missingText(answer, last);
      for (const { text } of came) expect([text, whole.split(text).length - 1]).toEqual([text, 1]);
      expect(whole.endsWith(last)).toBe(true);
    }),
  );
});

test('two messages of one turn are separate paragraphs', () => {
  const answer = fold([
    { message: 'a', index: 0, text: 'Let me look.\n', final: true },
    { message: 'b', index: 0, text: 'Found it.', final: true },
  ]);
  expect(String(answer.text)).toBe('Let me look.\n\nFound it.');
  expect(missingText(answer, 'Found it.')).toBe('');
});

test('a text that came in full is not repeated at the end', () => {
  const answer = fold([{ message: 'a', index: 0, text: 'one\ntwo\n\n', final: true }]);
  expect(missingText(answer, 'one\ntwo')).toBe('');
  expect(missingText(noAnswer, 'only told at the end')).toBe('only told at the end');
});

const missing = /_\(a part of the answer is missing here: it did not reach the bridge\)_/;
/** `m.0 m.1 …`, the last one final. */
const pieceOf = (message: string, index: number, of: number) => ({
  message,
  index,
  text: `${message}.${index}\n`,
  final: index === of - 1,
});

test('a piece that never came leaves a hole that is said, when nothing can fill it', () => {
  const kept = [0, 1, 3].map((index) => pieceOf('a', index, 4));
  const answer = fold(kept);
  expect(String(answer.text)).toBe('a.0\na.1\n');
  expect(missingText(answer, undefined)).toMatch(new RegExp(`^\n${missing.source}\n\na\\.3\n$`));
  const headless = fold([pieceOf('a', 1, 2)]);
  expect(missingText(headless, undefined)).toMatch(new RegExp(`^${missing.source}\n\na\\.1\n$`));
  // Claude's own copy of it fills it.
  expect(missingText(answer, 'a.0\na.1\na.2\na.3')).toBe('a.2\na.3');
});

test('where nothing is missing, no hole is said', () => {
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (all, order) => {
      const shuffled = all
        .flat()
        .map((piece) => ({ piece, rank: order.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ piece }) => piece);
      const answer = fold(shuffled);
      expect(`${answer.text}${missingText(answer, undefined)}`).not.toMatch(missing);
      // Broken off in the middle of a message is no hole: what ended it says so.
      const cut = fold(all.flat().slice(0, -1));
      expect(`${cut.text}${missingText(cut, undefined)}`).not.toMatch(missing);
    }),
  );
});

test('a hook that is delivered twice is known again, also when its message is complete or waits', () => {
  const pieces = [0, 1, 3, 4].map((index) => ({
    message: 'a',
    index,
    text: `${index}\n`,
    final: index === 4,
  }));
  const waiting = { message: 'b', index: 0, text: 'next', final: true };
  const answer = fold([...pieces, waiting]);
  for (const piece of [...pieces, waiting]) expect(addDelta(answer, delta(piece))).toBe(answer);
  const whole = addDelta(answer, delta({ message: 'a', index: 2, text: '2\n', final: false }));
  expect(String(whole.text)).toBe('0\n1\n2\n3\n4\n\nnext');
  for (const piece of [...pieces, waiting]) expect(addDelta(whole, delta(piece))).toBe(whole);
});

test('what is remembered of messages does not grow with their number', () => {
  const one = (n: number) => ({ message: `m${n}`, index: 0, text: `${n}.\n\n`, final: true });
  let answer = fold(Array.from({ length: 1_000 }, (_, n) => one(n)));
  expect(answer.messages.length).toBeLessThan(100);
  expect(addDelta(answer, delta(one(990)))).toBe(answer);
  // One of which the end got lost, and what waits behind it, stays until the turn ends.
  const open = { message: 'open', index: 0, text: 'open', final: false };
  answer = [open, ...Array.from({ length: 200 }, (_, n) => one(2_000 + n))].reduce(
    (before, piece) => addDelta(before, delta(piece)),
    answer,
  );
  expect(missingText(answer, undefined)).toContain('2000.\n\n2001.');
});

test('behind a piece that got lost, a long message waits as one', () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`);
  const came = lines.flatMap((text, index) =>
    index === 7 ? [] : [{ message: 'a', index, text, final: index === lines.length - 1 }],
  );
  const answer = fold(came);
  expect(answer.messages[0]?.held).toHaveLength(1);
  expect(missingText(answer, undefined)).toMatch(missing);
  expect(missingText(answer, undefined).endsWith(lines.slice(8).join(''))).toBe(true);
  expect(missingText(answer, lines.join(''))).toBe(lines.slice(7).join('').trimEnd());
});

test('a piece behind the last one of its message is no part of the text', () => {
  const piece = (index: number, text: string, final: boolean) => ({ message: 'm', index, text, final });
  const whole = [piece(0, 'a', false), piece(1, 'b', true)];
  expect(String(fold([...whole, piece(2, 'c', false)]).text)).toBe('ab');
  const next = { message: 'n', index: 0, text: 'd', final: true };
  expect(String(fold([...whole, piece(2, 'c', false), next]).text)).toBe('ab\n\nd');
});
