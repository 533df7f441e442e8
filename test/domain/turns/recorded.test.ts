import { expect, test } from 'vitest';
import { problemsOf } from './check-lines.ts';
import type { Line } from './line.ts';
import { lines, scenarios } from './recorded.ts';
import { mainHooks, type Truth, truthOf } from './truth.ts';

const recordings = scenarios.map((scenario) => {
  const all = lines(scenario);
  return { scenario, all, truth: truthOf(all) };
});

/** @returns each problem with the name of its recording */
const everywhere = (check: (all: readonly Line[], truth: Truth) => unknown[]): unknown[] =>
  recordings.flatMap(({ scenario, all, truth }) => check(all, truth).map((problem) => [scenario, problem]));

const transcript = (all: readonly Line[], says: string) =>
  all.filter((line) => line.k === 'transcript' && line.says === says);

test('every scenario is there, and whole', () => {
  expect(scenarios).toHaveLength(155);
  const halves = recordings.filter(
    ({ all }) => !all.some(({ k }) => k === 'exit') || !all.some(({ k }) => k === 'end'),
  );
  expect(halves).toEqual([]);
});

test('a recording holds nothing that Claude Code would not send', () => {
  expect(everywhere(problemsOf)).toEqual([]);
});

test('the recordings know as many ends of turns as were counted', () => {
  const sum = (of: (truth: Truth) => number) => recordings.reduce((all, { truth }) => all + of(truth), 0);
  expect(sum(({ completed }) => completed)).toBe(389);
  expect(sum(({ failed }) => failed)).toBe(5);
  expect(sum(({ interruptingKeys }) => interruptingKeys)).toBe(29);
});

test('no more turns end than hooks and keys explain', () => {
  const tooMany = everywhere((all, { completed, failed, interruptingKeys }) => {
    const stops = mainHooks(all).filter(({ hook }) => hook.hook_event_name === 'Stop').length;
    const interrupted = transcript(all, 'interrupted').length;
    return completed > stops + failed || interrupted > interruptingKeys ? [{ completed, interrupted }] : [];
  });
  expect(tooMany).toEqual([]);
});

test('what stands in the transcript was said in hooks', () => {
  const unsaid = everywhere((all, { texts }) => {
    const said = [...texts.values()].flat();
    return transcript(all, 'text').filter((line) => 'text' in line && !said.includes(line.text));
  });
  expect(unsaid).toEqual([]);
});

test('a Stop repeats what its prompt said last', () => {
  const untrue = everywhere((all, { texts }) =>
    mainHooks(all).filter(({ hook: { hook_event_name: name, prompt_id: prompt = '', ...hook } }) => {
      const said = name === 'Stop' ? texts.get(prompt) : undefined;
      return said && !said.some((text) => text.trimEnd() === hook.last_assistant_message);
    }),
  );
  expect(untrue).toEqual([]);
});

/** What Claude Code submits by itself. */
const ownPrompt =
  /^<task-notification>\n<task-id>|^<cross-session-message |^(\d+ background agents were|Background agent ".*" was) stopped by the user/;
/** A long text that is typed comes wrapped. */
const pasted = /^\n\n<pasted_content id="\w+">\n([\s\S]*)\n<\/pasted_content>$/;

test('every submitted prompt was typed, set for later, or is of Claude Code itself', () => {
  const unknown = everywhere((all) => {
    const typed = all.flatMap((line) => (line.k === 'typed' ? [line.text] : []));
    const wakeUps = mainHooks(all).flatMap(({ hook: { tool_name: tool, tool_input: input } }) =>
      tool === 'ScheduleWakeup' || tool === 'CronCreate' ? [(input as { prompt: string }).prompt] : [],
    );
    const known = new Set([...typed, ...wakeUps]);
    return mainHooks(all).filter(({ hook: { prompt } }) => {
      if (prompt === undefined || ownPrompt.test(prompt)) return false;
      return !known.has(pasted.exec(prompt)?.[1] ?? prompt);
    });
  });
  expect(unknown).toEqual([]);
});

test('a retry replaces what it repeats, and nothing else is replaced', () => {
  const texts = (scenario: string) => [...truthOf(lines(scenario)).texts.values()];
  expect(texts('retry-cut')).toHaveLength(1);
  expect(texts('retry-cut')[0]).toHaveLength(1);
  expect(texts('retry-cut')[0]?.[0]?.split('\n')).toHaveLength(3);
  expect(texts('stop-hook-continues')[0]).toHaveLength(2);
});
