import { expect, test } from 'vitest';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn } from '../../src/domain/state/session.ts';
import { turnWait } from '../../src/domain/views/session/turn-wait.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const evolved = (...events: SessionEvent[]) =>
  events.reduce((session, event) => evolve(session, event, 0), emptySession('s'));

const queued = (turn: string): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'operator',
  text: 'hello',
  meta: {},
});
const delivering: SessionEvent = { type: 'turn.delivering', turn: 't1', attempt: 1 };
const ready: SessionEvent = { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] };
const running: SessionEvent = { type: 'turn.running', turn: 't1' };

test.each<[string, string | undefined, SessionEvent[]]>([
  ['starting', 'Claude is starting …', []],
  [
    'dialog',
    'Claude is starting and shows a question (trust) …',
    [{ type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'start_dialog' }],
  ],
  ['delivering', 'The message goes to Claude …', [ready]],
  ['working', 'Claude is working …', [ready, running]],
  [
    'stopping',
    'Claude is being interrupted …',
    [ready, running, { type: 'turn.cancelling', turn: 't1', by: 'x' }],
  ],
  ['nothing', undefined, [ready, running, { type: 'turn.settled', turn: 't1', outcome: 'completed' }]],
])('%s: %s', (state, words, events) => {
  const session = evolved(queued('t1'), delivering, ...events);
  const turn = findTurn(session, 't1');
  expect(turn && turnWait(session, turn)).toEqual(words && { state, words });
});

test('a message in line knows how many are before it', () => {
  const session = evolved(queued('t1'), delivering, queued('t2'), queued('t3'));
  const words = ['t2', 't3'].map((id) => {
    const turn = findTurn(session, id);
    return turn && turnWait(session, turn)?.words;
  });
  expect(words).toEqual([
    'The message is in line, one is before it …',
    'The message is in line, 2 are before it …',
  ]);
});
