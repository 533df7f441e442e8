import { describe, expect, test } from 'vitest';
import { Turns } from '../../../../src/bridge/claude/turn/turns.ts';
import { evolve } from '../../../../src/domain/state/evolve.ts';
import { emptySession } from '../../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../../src/protocol/events/events.ts';

const known = (...events: SessionEvent[]) => {
  const session = events.reduce((before, event) => evolve(before, event, 0), emptySession('k'));
  return new Turns(() => session);
};
const queued: SessionEvent = { type: 'turn.queued', turn: 't', ingress: 'openai', text: 'hi', meta: {} };
const delivering: SessionEvent = { type: 'turn.delivering', turn: 't', attempt: 1 };
const running: SessionEvent = { type: 'turn.running', turn: 't', prompt: 'p' };
const settled: SessionEvent = { type: 'turn.settled', turn: 't', outcome: 'completed' };
const joining = (more: object): SessionEvent => ({ type: 'turn.joining', turn: 't', into: 'o', ...more });

test('of a conversation that there is not, nothing is known', () => {
  const turns = new Turns(() => undefined);
  const { running: turn, busy, resting, proven, over, queued: waits, sentOn, agents } = turns;
  expect({ turn, busy, resting, proven, over, waits, sentOn, agents }).toEqual({
    turn: undefined,
    busy: false,
    resting: false,
    proven: false,
    over: 0,
    waits: false,
    sentOn: false,
    agents: 0,
  });
  expect([turns.has('t'), turns.runs('p'), turns.runs(undefined), turns.isNews('p')]).toEqual(
    Array(4).fill(false),
  );
  expect([turns.hasTasks(true), turns.hasStarted('a1')]).toEqual([false, false]);
});

test.each<[string, SessionEvent[], boolean]>([
  ['waits', [queued], false],
  ['is handed over', [queued, delivering], false],
  ['runs', [queued, delivering, running], true],
  ['is on its way into another', [queued, joining({})], true],
  ['ran', [queued, delivering, running, settled], true],
  ['ended without a word of Claude', [queued, delivering, settled], false],
])('Claude certainly has the prompt of a turn, or not: it %s', (_, events, has) => {
  const turns = known(...events);
  expect([turns.has('t'), turns.has('other')]).toEqual([has, false]);
});

test('a message is in the queue of Claude Code only when that has put it there', () => {
  expect(known(queued, joining({ queued: true })).queued).toBe(true);
  expect([known(queued, joining({})).queued, known(queued, delivering, running).queued]).toEqual([
    false,
    false,
  ]);
});

test('a prompt runs, is over, or is news', () => {
  const now = known(queued, delivering, running);
  expect([now.runs('p'), now.runs('q'), now.runs(undefined)]).toEqual([true, false, true]);
  expect([now.isNews('p'), now.isNews('q')]).toEqual([false, true]);
  const later = known(queued, delivering, running, settled);
  expect([later.runs('p'), later.runs(undefined), later.isNews('p'), later.isNews('q')]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

describe('tasks', () => {
  const begins = (task: string, kind: 'agent' | 'shell'): SessionEvent => ({
    type: 'task.began',
    task,
    kind,
    hook: 1,
  });
  const ends = (task: string, status: string): SessionEvent => ({ type: 'task.ended', task, status });

  test.each<[string, SessionEvent[], [boolean, boolean]]>([
    ['none', [], [false, false]],
    ['a command', [begins('b1', 'shell')], [true, true]],
    ['an agent, unless it was stopped by hand', [begins('a1', 'agent')], [true, false]],
    [
      'an agent whose end Claude has yet to hear',
      [begins('a1', 'agent'), ends('a1', 'completed')],
      [true, false],
    ],
    ['a command that is listed no more', [begins('b1', 'shell'), ends('b1', 'unlisted')], [false, false]],
  ])('go on: %s', (_, events, goOn) => {
    const turns = known(...events);
    expect([turns.hasTasks(true), turns.hasTasks(false)]).toEqual(goOn);
  });

  test('were started here, whether they go on or not', () => {
    const errand = { by: 'task', name: 'u1', task: 'a2' } as const;
    const activity: SessionEvent = {
      type: 'activity',
      turn: 't',
      tool_use: 'u1',
      tool: 'Agent',
      phase: 'succeeded',
      errand,
    };
    const turns = known(queued, begins('a1', 'agent'), activity);
    expect(['a1', 'a2', 'a3'].map((id) => turns.hasStarted(id))).toEqual([true, true, false]);
  });
});
