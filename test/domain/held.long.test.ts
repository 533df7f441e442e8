// A conversation of which it is not known whether it still lives here, or that is on its way: whatever comes, Claude gets
// nothing new of it here, and nothing of it is lost.
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { effectsOf } from '../../src/domain/effects.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import {
  currentTurn,
  deliveringTurn,
  emptySession,
  findTurn,
  joiningTurns,
  queuedTurns,
  runningTurn,
  type Session,
  unsettledAsks,
} from '../../src/domain/state/session.ts';
import { isSettled } from '../../src/domain/state/turn.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { letThrough } from '../support/rulings.ts';
import { forEachDeepHistory } from './deep-history.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const limits = { queued: 9 };
const panic = { since: 5, by: 'the operator' };

const submit = (turn: string, more: object = {}): Command => ({
  type: 'turn.submit',
  turn,
  claude: 'uuid',
  launch,
  ingress: 'openai',
  text: turn,
  ...more,
});
const ready: Command[] = [
  { type: 'agent.starting', run: 'r' },
  { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] },
];
const taken: Command = { type: 'prompt.taken', turn: 'a', prompt: 'p' };
const hold: Command = { type: 'session.hold', node: 'mac' };
const lose: Command = { type: 'session.hold', node: 'mac', ends: true };
const house: Command = { type: 'session.house', held: true };
const proceed: Command = { type: 'session.proceed' };
const lost: Command = { type: 'session.recover', lost: 'box' };

function apply(session: Session, command: Command, more: object = {}): [Session, SessionEvent[]] {
  const decision = decide(session, command, { ...limits, ...more });
  const events = 'events' in decision ? decision.events : [];
  return [events.reduce((state, event) => evolve(state, event, 0), session), events];
}
const playOn = (session: Session, ...commands: Command[]): Session =>
  commands.reduce((now, command) => apply(now, command)[0], session);
const play = (...commands: Command[]): Session => playOn(emptySession('k'), ...commands);
const phases = (session: Session) =>
  Object.fromEntries(session.turns.map(({ id, phase }) => [id, phase.name]));
const effects = (events: SessionEvent[]) => events.flatMap(effectsOf).map(({ type }) => type);

/** What runs and what is open, with a message that waits behind it. */
const busy = play(
  submit('a'),
  ...ready,
  taken,
  { type: 'tool.call', call: 'c', tool: 'exec', args: {}, ruling: letThrough },
  { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: {}, expires_at: 0 },
  submit('b'),
);

describe('a conversation that another machine may go on with', () => {
  test('ends what runs in words: Claude may have done some of it; what waits behind it waits on', () => {
    const [session, events] = apply(busy, lose);
    expect(session.move).toEqual({ node: 'mac', as: 'held' });
    expect(findTurn(session, 'a')?.phase).toMatchObject({
      outcome: 'failed',
      code: 'machine_lost',
      detail: 'mac lost touch with the other machines',
    });
    expect(phases(session)).toEqual({ a: 'settled', b: 'queued' });
    expect([session.calls, unsettledAsks(session), session.agent.name]).toEqual([[], [], 'stopping']);
    expect(session.asks[0]?.state).toMatchObject({ outcome: 'expired' });
    expect(effects(events)).toContain('stop');
    const on = playOn(session, { type: 'agent.exited', detail: 'x' }, house, proceed);
    expect(phases(on)).toEqual({ a: 'settled', b: 'delivering' });
  });

  test('takes back what Claude cannot have seen, and hands it over when it lives here after all', () => {
    const [session, events] = apply(play(submit('a'), ...ready, submit('b')), lose);
    expect(phases(session)).toEqual({ a: 'queued', b: 'queued' });
    expect(effects(events)).toEqual(['interrupt', 'stop']);
    const exited: Command = { type: 'agent.exited', detail: 'x', failure: 'exited' };
    const still = playOn(
      session,
      { type: 'prompt.failed', turn: 'a', code: 'delivery_failed', detail: 'x', retry: true },
      exited,
    );
    expect(phases(still)).toEqual({ a: 'queued', b: 'queued' });
    expect(phases(playOn(still, house, proceed))).toEqual({ a: 'delivering', b: 'queued' });
  });

  test('ends what may be on the screen already, as Claude may have seen it', () => {
    const session = playOn(play(submit('a'), ...ready), { type: 'prompt.handing', turn: 'a' }, lose);
    expect(findTurn(session, 'a')?.phase).toMatchObject({ code: 'machine_lost' });
  });

  test('ends what was on its way into the turn that ran with it, in the same words', () => {
    const joining: Command[] = [submit('b', { mode: 'steer' }), { type: 'prompt.joining', turn: 'b' }];
    const before = playOn(play(submit('a'), ...ready, taken), ...joining);
    expect(joiningTurns(before)).toHaveLength(1);
    expect(findTurn(playOn(before, lose), 'b')?.phase).toMatchObject({ code: 'machine_lost' });
  });

  test('does not hand over later what was cancelled on its way', () => {
    const before = playOn(play(submit('a'), ...ready), { type: 'turn.cancel', turn: 'a', by: 'somebody' });
    const session = playOn(before, lose);
    expect(findTurn(session, 'a')?.phase).toMatchObject({ outcome: 'cancelled', detail: 'somebody' });
  });

  test('says of what was stopped with everything that it was', () => {
    const [session] = apply(playOn(play(submit('a'), ...ready, taken)), { type: 'session.rest' }, { panic });
    expect(findTurn(playOn(session, lose), 'a')?.phase).toMatchObject({
      outcome: 'cancelled',
      code: 'panic',
    });
  });

  test('starts no Claude Code, and is told once that it is held', () => {
    const [session, events] = apply(playOn(play(submit('a')), lose), lose);
    expect(events).toEqual([]);
    expect(apply(session, { type: 'session.start', by: 'x' })[1]).toEqual([]);
    expect(effects(apply(play(submit('a')), lose)[1])).not.toContain('stop');
  });
});

describe('a conversation that is held', () => {
  test('goes on with what runs, and begins nothing behind it before it is housed', () => {
    const [held, events] = apply(busy, hold);
    expect(events).toEqual([{ type: 'session.held', node: 'mac' }]);
    expect(held).toEqual({ ...busy, move: { node: 'mac', as: 'held' } });
    const over = playOn(held, { type: 'turn.rest', prompt: 'p' });
    expect(phases(over)).toEqual({ a: 'settled', b: 'queued' });
    expect(phases(playOn(over, house, proceed))).toEqual({ a: 'settled', b: 'delivering' });
  });

  test('hands nothing into the turn that runs: whoever goes on with it may do so, too', () => {
    const steered = playOn(play(submit('a'), ...ready, taken), submit('b', { mode: 'steer' }));
    const joining: Command = { type: 'prompt.joining', turn: 'b' };
    expect(phases(playOn(steered, joining))).toEqual({ a: 'running', b: 'joining' });
    expect(phases(playOn(steered, hold, joining))).toEqual({ a: 'running', b: 'queued' });
  });

  test('takes no message, and tells which machine cannot be asked', () => {
    const decision = decide(playOn(busy, hold), submit('x'), limits);
    expect(decision).toEqual({ rejection: { code: 'moving', node: 'mac', as: 'held' } });
  });

  test('is housed by nobody who does not mean that, and goes nowhere', () => {
    const held = play(submit('a'), ...ready, taken, { type: 'turn.rest', prompt: 'p' }, hold);
    expect(playOn(held, { type: 'session.house' })).toEqual(held);
    expect(playOn(held, { type: 'session.leave', node: 'box' })).toEqual(held);
    expect(playOn(held, house).move).toBe(undefined);
  });

  test('is none that was removed', () => {
    const removed = play(submit('a'), { type: 'session.remove' });
    expect(apply(removed, lose)[1]).toEqual([]);
  });
});

describe('a conversation whose machine went away', () => {
  test('says so of what ran there, and of its Claude Code', () => {
    const session = playOn(busy, lost);
    expect(findTurn(session, 'a')?.phase).toMatchObject({ code: 'machine_lost', detail: 'box went away' });
    expect(session.agent).toMatchObject({ failure: 'machine_lost' });
    expect([session.calls, unsettledAsks(session)]).toEqual([[], []]);
  });

  test('has what Claude cannot have seen in line until it lives here', () => {
    const arriving = playOn(play(submit('a')), { ...hold }, lost);
    expect(phases(arriving)).toEqual({ a: 'queued' });
    expect(phases(playOn(arriving, house, proceed))).toEqual({ a: 'delivering' });
  });
});

test('whatever comes while it is held or on its way: nothing is handed over, and no process is started', () => {
  const held = new Set<string>();
  forEachDeepHistory(() => ({ command, before, events }) => {
    if (!before.move || command.type === 'session.house') return;
    held.add(command.type);
    expect(events.flatMap(effectsOf).filter(({ type }) => type === 'deliver' || type === 'start')).toEqual(
      [],
    );
    // What is told of a message that Claude Code has in its own queue hands nothing over.
    expect(events.filter((event) => event.type === 'turn.joining' && !event.queued)).toEqual([]);
  });
  const ends = [
    'agent.exited',
    'prompt.failed',
    'turn.rest',
    'turn.cancel',
    'turn.expire',
    'session.recover',
  ];
  expect([...held]).toEqual(expect.arrayContaining(ends));
});

test('whenever it is held and ends: nothing runs or waits, what is unseen is in line as before, and goes on', () => {
  const was = new Set<string>();
  forEachDeepHistory(() => ({ panic, after: before }) => {
    if (panic || before.removed) return;
    const [session, events] = apply(before, lose);
    const turn = deliveringTurn(before) ?? runningTurn(before);
    const isUnseen = turn?.phase.name === 'delivering' && !turn.phase.handed;
    was.add(`${turn?.phase.name} ${isUnseen} ${turn?.cancelledBy !== undefined}`);
    expect([currentTurn(session), session.calls, unsettledAsks(session)]).toEqual([undefined, [], []]);
    expect(session.turns.filter((each) => !isSettled(each) && each.phase.name !== 'queued')).toEqual([]);
    expect(['stopped', 'stopping']).toContain(session.agent.name);
    const back = turn && isUnseen && turn.cancelledBy === undefined ? [turn] : [];
    const waiting = [...back, ...queuedTurns(before)].map(({ id }) => id);
    expect(
      queuedTurns(session)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(waiting.toSorted());
    expect(effects(events)).not.toContain('deliver');
    const after = playOn(session, house, proceed);
    expect(after.move).toBe(undefined);
    expect(currentTurn(after)?.id).toBe(queuedTurns(session)[0]?.id);
  });
  expect(was.size).toBeGreaterThanOrEqual(5);
});
