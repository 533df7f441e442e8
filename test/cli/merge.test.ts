// Lines of several machines as one.
import { expect, test } from 'vitest';
import { Merge } from '../../src/cli/commands/journal/merge.ts';

function world(count: number, tail?: number) {
  const shown: string[] = [];
  const merge = new Merge(tail);
  const sources = Array.from({ length: count }, () => merge.source());
  const say = (source: number, ...ats: number[]) => {
    for (const at of ats) sources[source]?.take({ at, show: () => void shown.push(`${'abc'[source]}${at}`) });
  };
  return { shown, say, caughtUp: (source: number) => sources[source]?.caughtUp() };
}

test('what was is in the order of the clocks, however late a machine tells it', () => {
  const { shown, say, caughtUp } = world(2);
  say(0, 1, 3, 5);
  expect(shown).toEqual([]);
  say(1, 2);
  expect(shown).toEqual(['a1', 'b2']);
  say(1, 4);
  expect(shown).toEqual(['a1', 'b2', 'a3', 'b4']);
  caughtUp(1);
  expect(shown).toEqual(['a1', 'b2', 'a3', 'b4', 'a5']);
});

test('what comes then is shown at once', () => {
  const { shown, say, caughtUp } = world(2);
  caughtUp(0);
  say(0, 9);
  expect(shown).toEqual([]);
  caughtUp(1);
  say(1, 3);
  say(0, 1);
  expect(shown).toEqual(['a9', 'b3', 'a1']);
});

test('a machine whose clock was set back keeps its own order', () => {
  const { shown, say, caughtUp } = world(2);
  say(0, 5, 1);
  say(1, 3, 6);
  for (const each of [0, 1]) caughtUp(each);
  expect(shown).toEqual(['b3', 'a5', 'a1', 'b6']);
});

test.each([
  [2, ['b4', 'a5', 'b6']],
  [0, ['b6']],
  [9, ['a1', 'b2', 'a3', 'b4', 'a5', 'b6']],
])('of what was, the last %i lines of all of them together', (tail, expected) => {
  const { shown, say, caughtUp } = world(2, tail);
  say(0, 1, 3, 5);
  caughtUp(0);
  say(1, 2, 4);
  expect(shown).toEqual([]);
  caughtUp(1);
  say(1, 6);
  expect(shown).toEqual(expected);
});
