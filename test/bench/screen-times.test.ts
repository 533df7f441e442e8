// What `npm run bench:peers` reads out of a chat.
import { expect, test } from 'vitest';
import { screenTimes } from '../../bench/peers/screen-times.ts';

const chat = -1;
const answer = { begin: 'Answer 1, line 0:', lines: ['Answer 1, line 0: yes.', 'Answer 1, line 1: no.'] };
const [line0 = '', line1 = ''] = answer.lines;

type Shown = [at: number, id: number, text: string | undefined, chat?: number];

const times = (...shown: Shown[]) =>
  screenTimes(
    shown.map(([at, id, text, where = chat]) => ({ at, id, text, chat: where })),
    chat,
    answer,
  );

test.each<[what: string, shown: Shown[], first: number | undefined, whole: number | undefined]>([
  ['a chat that shows nothing', [], undefined, undefined],
  [
    'one message that grows',
    [
      [1, 7, 'Answer 1, line 0: y'],
      [2, 7, line0],
      [3, 7, `${line0}\n${line1}`],
    ],
    1,
    3,
  ],
  ['one message at the end', [[5, 7, `${line0}\n${line1}`]], 5, 5],
  [
    'an answer in two messages',
    [
      [1, 7, line0],
      [4, 8, line1],
    ],
    1,
    4,
  ],
  [
    'a preview that is taken away for the whole',
    [
      [1, 7, line0],
      [2, 7, undefined],
      [3, 8, line1],
      [6, 9, `${line0}\n${line1}`],
    ],
    1,
    6,
  ],
  [
    'a whole that is edited once more',
    [
      [1, 7, `${line0}\n${line1}`],
      [9, 7, `${line0}\n\n${line1}`],
    ],
    1,
    1,
  ],
  [
    'a sign of work before the answer',
    [
      [1, 7, 'Working…'],
      [2, 7, line0],
    ],
    2,
    undefined,
  ],
  ['another answer', [[1, 7, 'Answer 11, line 0: yes.']], undefined, undefined],
  ['another chat', [[1, 7, `${line0}\n${line1}`, -2]], undefined, undefined],
])('%s', (_, shown, first, whole) => {
  expect(times(...shown)).toEqual({ first, whole });
});
