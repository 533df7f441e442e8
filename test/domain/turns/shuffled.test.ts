import { expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { problemsOf } from './check-lines.ts';
import { type HookLine, type Line, mainThread, ownerOf } from './line.ts';
import { lines, scenarios } from './recorded.ts';
import { isText, shuffled } from './shuffled.ts';
import { truthOf } from './truth.ts';

const recordings = scenarios.map((scenario) => lines(scenario));
const seeds = Array.from({ length: runs(20) }, (_, seed) => seed);
const hooks = (all: readonly Line[]) => all.filter((line): line is HookLine => line.k === 'hook');
const numbers = (all: readonly Line[]) => hooks(all).map(({ n }) => n);

/** @returns what `check` finds wrong in any other order of any recording */
const everywhere = (check: (heard: readonly Line[], sent: readonly Line[]) => unknown[]): unknown[] =>
  recordings.flatMap((sent) => seeds.flatMap((seed) => check(shuffled(sent, seed), sent)));

test('another order keeps the order of each thread', () => {
  const ofThreads = (all: readonly Line[]) => {
    const threads = Map.groupBy(
      hooks(all).filter((line) => !isText(line)),
      ({ hook }) => ownerOf(hook),
    );
    return [...threads].map(([owner, each]) => `${owner}: ${numbers(each)}`).sort();
  };
  const apart = everywhere((heard, sent) =>
    String(ofThreads(heard)) === String(ofThreads(sent)) ? [] : [numbers(heard)],
  );
  expect(apart).toEqual([]);
});

test('text is never heard before a main hook that was sent before it', () => {
  const early = everywhere((heard) => {
    const main = hooks(heard).filter(({ hook }) => ownerOf(hook) === mainThread);
    return main.filter(
      (line, at) => isText(line) && main.slice(at).some((later) => !isText(later) && later.n < line.n),
    );
  });
  expect(early).toEqual([]);
});

test('nothing is lost, and nothing but hooks of different connections moves', () => {
  const fixed = new Set(['UserPromptSubmit', 'SubagentStart']);
  const moved = everywhere((heard, sent) =>
    heard.filter((line, at) => {
      if (line === sent[at]) return false;
      return line.k !== 'hook' || fixed.has(line.hook.hook_event_name) || line.t !== sent[at]?.t;
    }),
  );
  expect(moved).toEqual([]);
  const lost = everywhere((heard, sent) => {
    const left = new Set(numbers(heard));
    return numbers(sent).filter((n) => !left.has(n));
  });
  expect(lost).toEqual([]);
});

test('another order is one that Claude Code could have', () => {
  expect(everywhere(problemsOf)).toEqual([]);
});

test('another order says the same words', () => {
  const words = (all: readonly Line[]) => JSON.stringify([...truthOf(all).texts].sort());
  const apart = everywhere((heard, sent) =>
    words(heard) === words(sent) ? [] : [words(heard), words(sent)],
  );
  expect(apart).toEqual([]);
});

test('other orders differ, and the same seed gives the same one', () => {
  const changed = recordings.filter((sent) => {
    expect(shuffled(sent, 1)).toEqual(shuffled(sent, 1));
    return [1, 2, 3, 4].some((seed) => String(numbers(shuffled(sent, seed))) !== String(numbers(sent)));
  });
  expect(changed.length).toBeGreaterThan(90);
});

test('batches of a message are joined by their index, in whatever order they come', () => {
  const sent = lines('esc-text');
  const texts = (all: readonly Line[]) => [...truthOf(all).texts.values()].flat().sort();
  expect(texts(sent.toReversed())).toEqual(texts(sent));
});
