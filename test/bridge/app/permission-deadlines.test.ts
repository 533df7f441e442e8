import { beforeEach, expect, test } from 'vitest';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import type { CallerCommand } from '../../../src/domain/commands.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let deadlines: Deadlines;
let sent: CallerCommand[];
const bridge = () =>
  new Deadlines({
    clock,
    cancelMs: 10_000,
    deliverMs: 10_000,
    turnMs: 60_000,
    unattendedMs: 1000,
    tasksMs: 1000,
    dispatch: (_, command) => sent.push(command),
  });
beforeEach(() => {
  clock = new ManualClock();
  sent = [];
  deadlines = bridge();
});

const see = (event: SessionEvent) => deadlines.observe({ seq: 1, at: 0, session: 'k', event });
const asked = (ms: number): SessionEvent => ({
  type: 'permission.asked',
  turn: 't',
  code: 'abcde',
  tool: 'Bash',
  input: {},
  expires_at: clock.wall() + ms,
});

test('a question is given up when its time is over, and not before', () => {
  see(asked(30_000));
  clock.advance(29_999);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
});

test('one that was answered is not', () => {
  see(asked(30_000));
  see({ type: 'permission.decided', code: 'abcde', verdict: 'allow', by: 'chat', scope: 'once' });
  clock.advance(59_999);
  expect(sent).toEqual([]);
});

test('a turn is not given up as silent while it waits for a human, but some time after', () => {
  see({ type: 'turn.running', turn: 't' });
  see(asked(600_000));
  clock.advance(600_000);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
  clock.advance(60_000);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ type: 'turn.expire', turn: 't' });
});

const fold = (...events: SessionEvent[]): Session =>
  events.reduce((session, event) => evolve(session, event, 0), emptySession('k'));
const typed: SessionEvent = { type: 'turn.adopted', turn: 't', text: 'x' };
const queued = (meta: Record<string, string> = {}): SessionEvent => ({
  type: 'turn.queued',
  turn: 't',
  ingress: 'openai',
  text: 'x',
  meta,
});
const delivering: SessionEvent = { type: 'turn.delivering', turn: 't', attempt: 1 };

test('a question that is held over three restarts expires on time', () => {
  const session = fold(typed, asked(40_000));
  for (let restart = 0; restart < 3; restart += 1) {
    clock.advance(10_000);
    deadlines.close();
    deadlines = bridge();
    deadlines.restore(session);
  }
  clock.advance(9_999);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
});

test('one whose time went by while there was no bridge expires at once, also where no turn is in flight', () => {
  const { turn: _, ...aside } = asked(5000) as Extract<SessionEvent, { type: 'permission.asked' }>;
  clock.advance(9000);
  deadlines.restore(fold(aside));
  clock.advance(0);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
});

const ends = (code: string) => ({ type: 'turn.expire', turn: 't', code });
const stops = { type: 'session.stop', reason: 'its unattended run is over' };

test.each([
  ['runs', [typed], 60_000, ends('expired')],
  ['runs and asks', [typed, { ms: 30_000 }], 90_000, ends('expired')],
  ['is on its way', [queued(), delivering], 10_000, ends('delivery_failed')],
  ['is cancelled', [typed, { type: 'turn.cancelling', turn: 't', by: 'x' }], 10_000, ends('interrupted')],
  [
    'was an unattended run of its own',
    [queued({ own_session: 'yes' }), { type: 'turn.settled', turn: 't', outcome: 'completed' }],
    1000,
    stops,
  ],
] satisfies [string, (SessionEvent | { ms: number })[], number, object][])(
  'after a restart it gets its time once more: a turn that %s',
  (_, events, ms, command) => {
    deadlines.restore(fold(...events.map((event) => ('ms' in event ? asked(event.ms) : event))));
    clock.advance(ms - 1);
    expect(sent).not.toContainEqual(command);
    clock.advance(1);
    expect(sent).toContainEqual(command);
  },
);

test('what is settled, and a conversation that waits for its next message, get no deadline', () => {
  deadlines.restore(fold(queued(), { type: 'turn.settled', turn: 't', outcome: 'completed' }));
  expect(clock.timers).toBe(0);
});
