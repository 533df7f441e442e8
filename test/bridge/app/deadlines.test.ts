// Random histories of one session with the deadlines that its rows set, over restarts of the bridge: none of them ends
// what goes on, and nothing is left that none of them ends.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { CallerCommand, Command } from '../../../src/domain/commands.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import {
  currentTurn,
  emptySession,
  openAsks,
  queuedTurns,
  type Session,
} from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { runs } from '../../support/runs.ts';
import { shown } from '../../support/shown.ts';

const key = 'k';
const permissionMs = 2500;

interface Moment {
  session: Session | undefined;
  /** Names what is new. */
  n: number;
  wall: number;
}

const current = ({ session }: Moment) => (session && currentTurn(session)?.id) ?? 'none';

const moves = {
  submit: ({ n }) => ({
    type: 'turn.submit',
    turn: `turn ${n}`,
    claude: 'claude',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'go',
    meta: { own_session: 'yes' },
  }),
  giveUp: ({ session }) => ({
    type: 'turn.cancel',
    turn: (session && queuedTurns(session)[0]?.id) ?? 'none',
    by: 'test',
  }),
  cancel: (at) => ({ type: 'turn.cancel', turn: current(at), by: 'test' }),
  take: (at) => ({ type: 'prompt.taken', turn: current(at) }),
  type: ({ n }) => ({ type: 'prompt.foreign', turn: `turn ${n}`, prompt: 'prompt', text: 'typed' }),
  say: ({ n }) => ({ type: 'message.delta', message: 'message', index: n, text: 'x', final: false }),
  ask: ({ n, wall }) => ({
    type: 'permission.ask',
    code: `code ${n}`,
    tool: 'Bash',
    input: {},
    expires_at: wall + permissionMs,
  }),
  allow: ({ session }) => ({
    type: 'permission.decide',
    code: (session && openAsks(session)[0]?.code) ?? 'none',
    verdict: 'allow',
    by: 'cli',
    ...shown(session, (session && openAsks(session)[0]?.code) ?? 'none'),
  }),
  stop: () => ({ type: 'turn.rest' }),
  end: () => ({ type: 'agent.exited', detail: 'x', failure: 'exited' }),
} satisfies Record<string, (at: Moment) => Command>;

const move = fc.oneof(
  fc.constantFrom(...(Object.keys(moves) as (keyof typeof moves)[])),
  fc.constantFrom(700, 2000, 'restart' as const),
);

/** One bridge's life. Its Claude outlives it. */
class Life {
  readonly dispatcher: Dispatcher;
  readonly deadlines: Deadlines;
  readonly #leave: () => void;

  constructor(journal: MemoryJournal, clock: ManualClock, check: Check) {
    this.dispatcher = new Dispatcher({
      journal,
      limits: { queued: 3 },
      log: silentLog,
      perform: () => {},
      failed: (error) => {
        throw error;
      },
    });
    this.deadlines = new Deadlines({
      clock,
      cancelMs: 1000,
      deliverMs: 5000,
      // Less than people get for an answer.
      turnMs: 2000,
      unattendedMs: 1500,
      tasksMs: 1500,
      dispatch: (_, command) => {
        const { session } = this;
        if (session) check(command, session);
        this.dispatcher.dispatch(key, command);
      },
    });
    this.dispatcher.load();
    this.#leave = journal.subscribe((row) => this.deadlines.observe(row));
    if (!this.session) return;
    this.dispatcher.dispatch(key, { type: 'session.adopt', run: 'r', pid: 2, typed: true });
    this.deadlines.restore(this.session);
  }

  get session(): Session | undefined {
    return this.dispatcher.session(key);
  }

  /** Whatever became of its Claude, there is one now. */
  crash(): void {
    if (!this.session) return;
    this.dispatcher.dispatch(key, { type: 'agent.starting', run: 'r' });
    this.dispatcher.dispatch(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  }

  end(): void {
    this.#leave();
    this.deadlines.close();
  }
}

type Check = (command: CallerCommand, session: Session) => void;

/**
 * @param check sees every command that a deadline gives, with the session before it
 * @param behind sees where the session is when nothing more is to come
 */
function forEachHistory(check: Check, behind: (session: Session) => void = () => {}): void {
  const history = fc.array(move, { maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(history, (made) => {
      const clock = new ManualClock();
      const journal = new MemoryJournal({ clock });
      let life = new Life(journal, clock, check);
      for (const [n, each] of made.entries())
        if (typeof each === 'number') clock.advance(each);
        else if (each === 'restart') {
          life.crash();
          life.end();
          expect(clock.timers).toBe(0);
          life = new Life(journal, clock, check);
        } else life.dispatcher.dispatch(key, moves[each]({ session: life.session, n, wall: clock.wall() }));
      clock.advance(100_000);
      if (life.session) behind(life.session);
      life.end();
      expect(clock.timers).toBe(0);
    }),
    { numRuns: runs(500) },
  );
}

test('the session of an unattended run is not ended while it works on a message', () => {
  forEachHistory((command, session) => {
    if (command.type === 'session.stop') expect(currentTurn(session)).toBeUndefined();
  });
});

test('what nobody ends is ended by its time, however often the bridge was started anew', () => {
  forEachHistory(
    () => {},
    (session) => expect([currentTurn(session), openAsks(session)]).toEqual([undefined, []]),
  );
});

test('a turn is not given up as silent while it waits for a human', () => {
  forEachHistory((command, session) => {
    if (command.type !== 'turn.expire' || command.code !== 'expired') return;
    expect(openAsks(session).filter(({ turn }) => turn === command.turn)).toEqual([]);
  });
});

test('a turn whose provider says how far it is, is not silent', () => {
  const clock = new ManualClock();
  const expired: string[] = [];
  const times = { cancelMs: 1000, deliverMs: 5000, turnMs: 2000, unattendedMs: 1500, tasksMs: 1500 };
  const deadlines = new Deadlines({ clock, ...times, dispatch: (_, { type }) => expired.push(type) });
  const happens = (event: SessionEvent) => deadlines.observe({ seq: 1, at: 0, session: key, event });
  happens({ type: 'turn.delivering', turn: 't1', attempt: 1 });
  happens({ type: 'turn.running', turn: 't1' });
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    happens({ type: 'tool.progressed', call: 'c1', text: `${second} of 10` });
  }
  expect(expired).toEqual([]);
  clock.advance(2000);
  // The call is given up with it.
  expect(expired).toEqual(['tool.expire', 'turn.expire']);
});

test('what an unattended run left at work has a time of its own, and the run is over a while after it', () => {
  const clock = new ManualClock();
  const stopped: string[] = [];
  const times = { cancelMs: 1000, deliverMs: 5000, turnMs: 2000, unattendedMs: 1500, tasksMs: 20_000 };
  const dispatch = (_: string, command: CallerCommand) =>
    void (command.type === 'session.stop' && stopped.push(command.reason));
  const deadlines = new Deadlines({ clock, ...times, dispatch });
  const happens = (event: SessionEvent) => deadlines.observe({ seq: 1, at: 0, session: key, event });
  const run = () => {
    const meta = { own_session: 'yes' };
    happens({ type: 'turn.queued', turn: 't1', ingress: 'openai', text: 'go', meta });
    happens({ type: 'turn.delivering', turn: 't1', attempt: 1 });
    happens({ type: 'task.began', task: 'a1', kind: 'agent', hook: 3, turn: 't1' });
    happens({ type: 'turn.settled', turn: 't1', outcome: 'completed' });
  };
  run();
  clock.advance(10_000);
  expect(stopped).toEqual([]);
  happens({ type: 'task.ended', task: 'a1', status: 'completed' });
  happens({ type: 'task.ended', task: 'a1', status: 'completed', told: true });
  clock.advance(1500);
  expect(stopped).toEqual(['its unattended run is over']);
  run();
  clock.advance(20_000);
  expect(stopped.slice(1)).toEqual([expect.stringContaining('timeouts.unattendedMs')]);
  deadlines.close();
});

describe('beside the turns', () => {
  const times = { cancelMs: 1000, deliverMs: 5000, turnMs: 2000, unattendedMs: 1500, tasksMs: 20_000 };
  const called: SessionEvent = { type: 'tool.called', call: 'c1', tool: 'exec', args: {} };
  let clock: ManualClock;
  let sent: CallerCommand[];
  let deadlines: Deadlines;
  beforeEach(() => {
    clock = new ManualClock();
    sent = [];
    deadlines = new Deadlines({ clock, ...times, dispatch: (_, command) => sent.push(command) });
  });
  const happens = (event: SessionEvent) => deadlines.observe({ seq: 1, at: 0, session: key, event });
  const types = () => sent.map(({ type }) => type);
  const unattended: SessionEvent[] = [
    { type: 'turn.queued', turn: 't1', ingress: 'openai', text: 'go', meta: { own_session: 'yes' } },
    { type: 'turn.delivering', turn: 't1', attempt: 1 },
    { type: 'task.began', task: 'a1', kind: 'agent', hook: 3, turn: 't1' },
    { type: 'turn.settled', turn: 't1', outcome: 'completed' },
  ];

  test('a call has a time of its own, from when it said last how far it is', () => {
    happens(called);
    clock.advance(1500);
    happens({ type: 'tool.progressed', call: 'c1', text: 'half' });
    clock.advance(1999);
    expect(sent).toEqual([]);
    clock.advance(1);
    expect(sent).toEqual([{ type: 'tool.expire', call: 'c1' }]);
    happens({ ...called, call: 'c2' });
    clock.advance(2000);
    expect(sent.slice(1)).toEqual([{ type: 'tool.expire', call: 'c2' }]);
  });

  test.each<[string, SessionEvent]>([
    ['answered', { type: 'tool.answered', call: 'c1', ok: true, content: '' }],
    ['dropped', { type: 'tool.dropped', call: 'c1', reason: 'x' }],
  ])('a call that was %s is not given up', (_, end) => {
    happens(called);
    happens(end);
    clock.advance(10_000);
    expect(sent).toEqual([]);
  });

  test('a task is over when Claude was told of its end, or with its Claude Code', () => {
    for (const event of unattended) happens(event);
    happens({ type: 'task.ended', task: 'a1', status: 'completed' });
    clock.advance(10_000);
    expect(sent).toEqual([]);
    happens({ type: 'agent.exited', detail: 'ended' });
    clock.advance(1500);
    expect(sent).toEqual([{ type: 'session.stop', reason: 'its unattended run is over' }]);
  });

  test('a message that Claude Code keeps in its own queue is given up like a turn', () => {
    happens({ type: 'turn.joining', turn: 't2', into: 't1', queued: true });
    clock.advance(2000);
    expect(sent).toEqual([{ type: 'turn.expire', turn: 't2', code: 'expired' }]);
  });

  const folded = (...events: SessionEvent[]) =>
    events.reduce((session, event) => evolve(session, event, 0), emptySession(key));

  test('a call, and what Claude Code has in its queue, get their time once more by the next bridge', () => {
    const queued: SessionEvent[] = [
      { type: 'turn.queued', turn: 't2', ingress: 'openai', text: 'and', meta: {} },
      { type: 'turn.joining', turn: 't2', into: 't1', queued: true },
    ];
    deadlines.restore(folded(called, ...queued));
    clock.advance(2000);
    expect(types().sort()).toEqual(['tool.expire', 'turn.expire']);
  });

  test('what an unattended run left at work goes on under the next bridge', () => {
    deadlines.restore(folded(...unattended));
    clock.advance(10_000);
    expect(sent).toEqual([]);
    clock.advance(10_000);
    expect(types()).toEqual(['session.stop']);
  });
});
