import { expect, test } from 'vitest';
import { followUp } from '../../../src/bridge/app/reader/follow-ups.ts';
import { tasksLost } from '../../../src/domain/decide/tasks-lost.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';

const run = { unattended: 'scheduled run' };
const queued = (turn: string, meta = run): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'openai',
  text: 'go',
  meta,
});
const begun = (turn: string, meta = run): SessionEvent => ({
  type: 'turn.adopted',
  turn,
  text: 'told',
  origin: { by: 'task', ingress: 'openai', meta },
});
const ended = (turn: string): SessionEvent => ({ type: 'turn.settled', turn, outcome: 'completed' });
const task = (turn: string): SessionEvent => ({
  type: 'task.began',
  task: 'a1',
  kind: 'agent',
  hook: 1,
  turn,
});
const other = { unattended: 'heartbeat' };
const chat = {} as typeof run;

test.each<[string, SessionEvent[], ReturnType<typeof followUp>]>([
  ['nothing', [queued('t'), ended('t')], undefined],
  ['what it left at work', [queued('t'), task('t'), ended('t')], 'wait'],
  ['nothing of what others left at work', [queued('t'), task('before'), ended('t')], undefined],
  ['what Claude began by itself', [queued('t'), ended('t'), begun('a')], { turn: 'a' }],
  ['what was begun and has ended since', [queued('t'), ended('t'), begun('a'), ended('a')], { turn: 'a' }],
  ['nothing that ended before', [begun('a'), ended('a'), queued('t'), ended('t')], undefined],
  ['nothing of another run', [queued('t'), ended('t'), begun('a', other)], undefined],
  ['no message of the next run', [queued('t'), ended('t'), queued('u')], undefined],
  ['nothing where somebody attends', [queued('t', chat), task('t'), ended('t'), begun('a', chat)], undefined],
])('behind an unattended run comes %s', (_, events, expected) => {
  const session = events.reduce((state, event) => evolve(state, event, 0), emptySession('k'));
  expect(followUp(session, ['t'])).toEqual(expected);
});

test('what was read is not read again', () => {
  const events = [queued('t'), ended('t'), begun('a'), ended('a'), begun('b')];
  const session = events.reduce((state, event) => evolve(state, event, 0), emptySession('k'));
  expect(followUp(session, ['t', 'a'])).toEqual({ turn: 'b' });
  expect(followUp(session, ['a', 'b'])).toBeUndefined();
});

test('what ended with Claude Code comes as a turn that says so', () => {
  const events = [queued('t'), task('t'), ended('t')];
  const session = events.reduce((state, event) => evolve(state, event, 0), emptySession('k'));
  const lost = tasksLost(session, 'it took too long');
  const idle: Session = { ...session, tasks: [] };
  const after = lost.reduce((state, event) => evolve(state, event, 0), idle);
  expect(followUp(after, ['t'])).toEqual({ turn: after.turns.at(-1)?.id });
  expect(after.turns.at(-1)?.phase).toMatchObject({
    code: 'tasks_lost',
    detail: 'agent a1: it took too long',
  });
});
