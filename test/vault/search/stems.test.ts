import { expect, test } from 'vitest';
import { placesOf, stemsOf } from '../../../src/vault/search/stems.ts';

const marked = (text: string, question: string): string => {
  let all = '';
  let at = 0;
  for (const { start, end } of placesOf(text, stemsOf(question))) {
    all += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return all + text.slice(at);
};

test.each([
  [
    'a word in another form',
    'running costs',
    'He runs; the cost is running up.',
    'He [runs]; the [cost] is [running] up.',
  ],
  ['not in the middle of another', 'art', 'The art of party talk', 'The [art] of party talk'],
  ['whatever its case', 'OpenClaw', 'openclaw OPENCLAW', '[openclaw] [OPENCLAW]'],
  ['in a run without blanks', '会議', '今日は会議です', '今日は[会議]です'],
  ['small words are not marked', 'the budget', 'the budget of the house', 'the [budget] of the house'],
  ['signs are no patterns', 'a+b (c)', 'a+b (c) aab', '[a]+[b] ([c]) aab'],
])('%s', (_, question, text, shown) => {
  expect(marked(text, question)).toBe(shown);
});

test('a question without words marks nothing', () => {
  expect(placesOf('anything', stemsOf('?!'))).toEqual([]);
});
