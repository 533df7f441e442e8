// What the session keeps of what Claude Code runs beside its turns.
import { expect, test } from 'vitest';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, keptTasks } from '../../src/domain/state/session.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

/** Each happens a second after the one before. */
const tasks = (...events: SessionEvent[]) =>
  events.reduce((session, event, at) => evolve(session, event, at * 1000), emptySession('k')).tasks;
const begins = (task: string, more: object = {}): SessionEvent => ({
  type: 'task.began',
  task,
  kind: 'agent',
  hook: 1,
  ...more,
});
const uses = (agent: string, tool: string): SessionEvent => ({
  type: 'activity',
  tool_use: 'u',
  tool,
  phase: 'started',
  agent,
});

test('one that is told once more is the same, with what is new of it', () => {
  expect(
    tasks(
      begins('a1', { title: 'look', turn: 't' }),
      begins('a2'),
      uses('a1', 'Bash'),
      begins('a1', { hook: 9, turn: 'later' }),
    ),
  ).toEqual([
    { id: 'a1', kind: 'agent', hook: 9, since: 0, state: 'running', title: 'look', turn: 't', doing: 'Bash' },
    { id: 'a2', kind: 'agent', hook: 1, since: 1000, state: 'running' },
  ]);
});

test('one that goes on after its end works from then on', () => {
  const ended: SessionEvent = { type: 'task.ended', task: 'a1', status: 'completed' };
  expect(tasks(begins('a1'), uses('a1', 'Bash'), ended, begins('a1'))).toEqual([
    { id: 'a1', kind: 'agent', hook: 1, since: 3000, state: 'running' },
  ]);
});

test('the oldest of too many is forgotten', () => {
  const all = tasks(...Array.from({ length: keptTasks + 1 }, (_, at) => begins(`a${at}`)));
  expect([all.length, all[0]?.id]).toEqual([keptTasks, 'a1']);
});
