// What may not be. Nothing is known to lead there (`SmallCore` looks after every step), so it is made by hand.
import { expect, test } from 'vitest';
import { decide } from '../../../src/domain/decide/decide.ts';
import { brokenInvariant } from '../../../src/domain/state/broken-invariant.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { queued, ready, running } from '../../support/turn-events.ts';

const fold = (events: readonly SessionEvent[], from = emptySession('k')): Session =>
  events.reduce((session, event) => evolve(session, event, 0), from);

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const opened: SessionEvent[] = [
  { type: 'session.opened', ingress: 'openai' },
  { type: 'session.claude', claude: 'c', launch },
  { type: 'agent.starting', run: 'r1' },
  ready,
];
const delivering = (turn: string): SessionEvent => ({ type: 'turn.delivering', turn, attempt: 1 });
const joining = (turn: string, into: string, more = {}): SessionEvent => ({
  type: 'turn.joining',
  turn,
  into,
  ...more,
});
const runs = (turn: string) => [queued(turn), delivering(turn), running(turn)];
const gone: SessionEvent = { type: 'agent.exited', detail: 'it ended' };

const broken: [string, SessionEvent[]][] = [
  ['two turns run, t1 and t2', [...runs('t1'), ...runs('t2')]],
  [
    'two messages are on their way to Claude Code',
    [queued('t1'), delivering('t1'), queued('t2'), delivering('t2')],
  ],
  [
    'two messages are on their way to Claude Code',
    [...runs('t1'), queued('t2'), joining('t2', 't1', { queued: true }), queued('t3'), delivering('t3')],
  ],
  ['turn t1 runs although Claude Code does not', [...runs('t1'), gone]],
  ['turn t1 runs although Claude Code does not', [queued('t1'), joining('t1', 't0', { queued: true }), gone]],
  [
    'message t2 is on its way into a turn that does not run',
    [queued('t2'), joining('t2', 't1', { hook: 1 })],
  ],
  ['a message waits for nothing', [queued('t1')]],
];

test.each(broken)('%s', (rule, events) => {
  expect(brokenInvariant(fold([...opened, ...events]))).toBe(rule);
});

test.each<[string, SessionEvent[]]>([
  [
    'a turn that runs, one on its way, and others that wait',
    [...runs('t1'), queued('t2'), delivering('t2'), queued('t3')],
  ],
  [
    'a message that goes into the turn that runs',
    [...runs('t1'), queued('t2'), joining('t2', 't1', { hook: 1 })],
  ],
  [
    'one that Claude Code has in its own queue, while nothing runs',
    [queued('t1'), joining('t1', 't0', { queued: true })],
  ],
  ['a message on its way while Claude Code is started', [queued('t1'), delivering('t1'), gone]],
  ['what waits while it is not known where it lives', [queued('t1'), { type: 'session.held', node: 'n' }]],
  ['what is being ended', [...runs('t1'), ...runs('t2'), { type: 'agent.stopping', reason: 'so' }]],
])('no rule is broken by %s', (_, events) => {
  expect(brokenInvariant(fold([...opened, ...events]))).toBeUndefined();
});

test.each(broken)('once it is mended, nothing is left of: %s', (rule, events) => {
  const before: SessionEvent[] = [
    ...runs('past'),
    { type: 'turn.settled', turn: 'past', outcome: 'completed' },
  ];
  const session = fold([...opened, ...before, ...events, queued('next')]);
  const decision = decide(session, { type: 'session.reset', rule, reports: ['turn.rest'] }, { queued: 9 });
  const mended = 'events' in decision ? decision.events : [];
  expect(mended[0]).toEqual({ type: 'session.broken', rule, reports: ['turn.rest'] });
  const after = fold(mended, session);
  const isAlive = session.agent.name !== 'stopped';
  expect(after.agent).toEqual(
    isAlive ? { name: 'stopping', reason: 'the bridge lost track of it' } : session.agent,
  );
  const left = isAlive ? fold([gone], after) : after;
  expect(brokenInvariant(left)).toBeUndefined();
  const phases = new Map(left.turns.map(({ id, phase }) => [id, phase]));
  expect(phases.get('past')).toMatchObject({ outcome: 'completed' });
  const isQueued = rule === 'a message waits for nothing';
  expect([...phases.values()].filter(({ name }) => name === 'delivering')).toHaveLength(1);
  expect(phases.get('next')?.name).toBe(isQueued ? 'queued' : 'delivering');
  const inFlight = session.turns.filter(({ phase }) => phase.name !== 'queued' && phase.name !== 'settled');
  for (const { id } of inFlight)
    expect(phases.get(id)).toMatchObject({ outcome: 'failed', code: 'lost_track', detail: rule });
});

test('what it asked and called ends with it', () => {
  const asked: SessionEvent[] = [
    { type: 'permission.asked', code: 'c', tool: 'Bash', input: {}, expires_at: 9 },
    { type: 'tool.called', call: 'x', tool: 'weather', args: {} },
  ];
  const session = fold([...opened, ...runs('t1'), ...runs('t2'), ...asked]);
  const decision = decide(session, { type: 'session.reset', rule: 'so', reports: [] }, { queued: 9 });
  const after = fold('events' in decision ? decision.events : [], session);
  expect(after.calls).toEqual([]);
  expect(after.asks.map(({ state }) => state)).toMatchObject([{ name: 'settled', outcome: 'expired' }]);
});
