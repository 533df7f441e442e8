import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { problemsOf } from './check-lines.ts';
import { histories } from './histories.ts';
import type { History } from './history.ts';
import type { Line, RawHook } from './line.ts';
import { truthOf } from './truth.ts';

test('an invented history is one that Claude Code could have, and its truth is in its lines', () => {
  fc.assert(
    fc.property(histories, ({ lines, turns, questions, wasKilled }) => {
      expect(problemsOf(lines)).toEqual([]);
      const truth = truthOf(lines);
      const ended = (outcome: string) => turns.filter((turn) => turn.outcome === outcome).length;
      expect(truth.completed).toBe(ended('completed'));
      expect(truth.failed).toBe(ended('failed'));
      expect(ended('interrupted')).toBeLessThanOrEqual(truth.interruptingKeys);
      expect(ended('exited')).toBeLessThanOrEqual(wasKilled ? 1 : 0);
      expect(ended('running')).toBe(0);
      const said = turns.flatMap(({ prompts, texts }) => (texts.length > 0 ? [[prompts.at(-1), texts]] : []));
      expect([...truth.texts]).toEqual(said);
      expect(questions.filter(({ outcome }) => outcome === 'open')).toEqual([]);
      expect(questions.map(({ n }) => n)).toEqual(asked(lines));
      const ran = new Set(lines.flatMap((line) => (line.k === 'hook' ? ranBy(line.hook) : [])));
      const untrue = questions.filter(({ use, outcome }) => ran.has(use) !== outcome.startsWith('allowed'));
      expect(untrue).toEqual([]);
    }),
    { numRuns: runs(500) },
  );
});

const asked = (lines: readonly Line[]): number[] =>
  lines.flatMap((line) =>
    line.k === 'hook' && line.hook.hook_event_name === 'PermissionRequest' ? [line.n] : [],
  );

const ranBy = ({ hook_event_name: name, tool_use_id: use }: RawHook): string[] =>
  name === 'PostToolUse' && use !== undefined ? [use] : [];

test('every task that ended was told once, unless Claude Code was killed', () => {
  fc.assert(
    fc.property(histories, ({ lines, turns, wasKilled }) => {
      fc.pre(!wasKilled);
      const told = turns.flatMap((turn) => turn.told);
      const begun = lines.flatMap((line) => (line.k === 'hook' ? begunBy(line.hook) : []));
      expect(told.sort()).toEqual(begun.sort());
    }),
    { numRuns: runs(100) },
  );
});

function begunBy({ hook_event_name: name, agent_id: agent, tool_response: response }: RawHook): string[] {
  const shell = (response as { backgroundTaskId?: string } | undefined)?.backgroundTaskId;
  if (name === 'SubagentStart' && agent !== undefined) return [agent];
  return shell === undefined ? [] : [shell];
}

/** A generator that forgets one of these proves nothing about it. */
const rareThings: Readonly<Record<string, (history: History) => boolean>> = {
  'several notifications are one turn': ({ turns }) => turns.some(({ prompts }) => prompts.length > 1),
  'a task is told while a turn runs': ({ turns }) =>
    turns.some(({ by, told }) => by !== 'notification' && told.length > 0),
  'typed text runs unannounced': ({ turns }) => turns.some(({ by }) => by === 'queue'),
  'a notification turn is interrupted': ({ turns }) =>
    turns.some(({ by, outcome }) => by === 'notification' && outcome === 'interrupted'),
  'a turn says nothing': ({ turns }) =>
    turns.some(({ outcome, texts }) => outcome === 'completed' && texts.length === 0),
  'a turn fails': ({ turns }) => turns.some(({ outcome }) => outcome === 'failed'),
  'a turn dies with the process': ({ turns }) => turns.some(({ outcome }) => outcome === 'exited'),
  'an agent asks': ({ questions }) => questions.some(({ agent }) => agent !== undefined),
  'an agent is refused in the terminal': ({ questions }) =>
    questions.some(({ agent, outcome }) => agent !== undefined && outcome === 'refused in the terminal'),
  'the main thread is refused in the terminal': ({ questions }) =>
    questions.some(({ agent, outcome }) => agent === undefined && outcome === 'refused in the terminal'),
  'an agent fails': ({ agents }) => [...agents.values()].includes('failed'),
  'a Stop is sent on': ({ lines }) =>
    lines.some((line) => line.k === 'hook' && line.hook.stop_hook_active === true),
};

test('500 invented histories hold every rare thing several times', () => {
  const all = fc.sample(histories, { numRuns: 500, seed: 20_261_128 });
  const rarest = Object.entries(rareThings).filter(([, holds]) => all.filter(holds).length < 5);
  expect(rarest.map(([name]) => name)).toEqual([]);
});
