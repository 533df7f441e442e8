// A bridge that is started anew finds a Claude Code alive: what goes on, what is closed, and what is done once more.
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { effectsOf } from '../../src/domain/effects.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import {
  currentTurn,
  deliveringTurn,
  emptySession,
  findTurn,
  openAsks,
  queuedInClaude,
  queuedTurns,
  runningTurn,
  type Session,
  type ToolCall,
} from '../../src/domain/state/session.ts';
import { holdOf } from '../../src/domain/state/turn.ts';
import { isOutOfTurn, isOwnTool } from '../../src/domain/tools/own-tool.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { letThrough } from '../support/rulings.ts';
import { forEachDeepHistory } from './deep-history.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const limits = { queued: 9 };
const panic = { since: 5, by: 'the operator' };

const submit = (turn: string): Command => ({
  type: 'turn.submit',
  turn,
  claude: 'uuid',
  launch,
  ingress: 'openai',
  text: turn,
});
const ready = (delivery: 'terminal' | 'channel' = 'terminal'): Command[] => [
  { type: 'agent.starting', run: 'r' },
  { type: 'agent.ready', pid: 1, delivery, health: [] },
];
const handing: Command = { type: 'prompt.handing', turn: 'a' };
const taken: Command = { type: 'prompt.taken', turn: 'a', prompt: 'p' };
const cancel: Command = { type: 'turn.cancel', turn: 'a', by: 'somebody' };
const adopt = (more: object = {}): Command => ({
  type: 'session.adopt',
  run: 'r',
  pid: 2,
  typed: true,
  ...more,
});

function apply(session: Session, command: Command, more: object = {}): [Session, SessionEvent[]] {
  const decision = decide(session, command, { ...limits, ...more });
  if ('rejection' in decision) throw new Error(`${command.type}: ${decision.rejection.code}`);
  return [fold(session, decision.events), decision.events];
}
const fold = (session: Session, events: SessionEvent[]): Session =>
  events.reduce((state, event) => evolve(state, event, 0), session);
const play = (...commands: Command[]): Session =>
  commands.reduce((session, command) => apply(session, command)[0], emptySession('k'));
/** What adopting brings, without the row that says so. */
const brings = (session: Session, more: object = {}): SessionEvent[] => {
  const [first, ...events] = apply(session, adopt(more))[1];
  expect(first).toEqual({ type: 'agent.adopted', pid: 2 });
  return events;
};

const again = (attempt: number): SessionEvent[] => [{ type: 'turn.delivering', turn: 'a', attempt }];
const interrupt: SessionEvent[] = [{ type: 'turn.cancelling', turn: 'a', by: 'somebody' }];
const over: SessionEvent[] = [
  { type: 'turn.settled', turn: 'a', outcome: 'cancelled', detail: 'somebody' },
  { type: 'turn.delivering', turn: 'b', attempt: 1 },
];

test.each([
  ['is on its way', [...ready()], true, again(2)],
  ['is on its way and cancelled', [...ready(), cancel], true, over],
  ['is written down, and was not typed', [...ready(), handing], false, again(2)],
  ['is written down and cancelled, and was not typed', [...ready(), handing, cancel], false, over],
  ['was typed', [...ready(), handing], true, []],
  ['was typed and cancelled', [...ready(), handing, cancel], true, interrupt],
  ['may have gone through the channel', [...ready('channel'), handing], false, []],
  ['runs', [...ready(), handing, taken], false, []],
  ['runs and is cancelled', [...ready(), handing, taken, cancel], false, interrupt],
] satisfies [string, Command[], boolean, SessionEvent[]][])(
  'a message that %s',
  (_, before, typed, expected) => {
    expect(brings(play(submit('a'), submit('b'), ...before), { typed })).toEqual(expected);
  },
);

test('Claude goes on as it is, under its new parent, and nobody drives it', () => {
  const session = play(submit('a'), ...ready(), taken, { type: 'lease.take', lease: 'l', by: 'x' });
  const [adopted] = apply(session, adopt());
  expect(adopted).toEqual({
    ...session,
    agent: { name: 'ready', pid: 2, delivery: 'terminal' },
    lease: undefined,
  });
});

test('a message that was interrupted by a panic is interrupted as that once more', () => {
  const [stopped] = apply(play(submit('a'), ...ready(), taken), { type: 'session.rest' }, { panic });
  expect(brings(stopped)).toMatchObject([{ type: 'turn.cancelling', turn: 'a', panic: panic.since }]);
});

test('what waits while nothing is in flight is handed over', () => {
  const waiting = fold(play(submit('a'), ...ready()), [{ type: 'turn.requeued', turn: 'a' }]);
  expect(brings(waiting)).toEqual(again(1));
  expect(brings(play(...ready()))).toEqual([]);
});

test.each([
  ['another host', [...ready()], { run: 'another' }],
  ['one that is still starting', [{ type: 'agent.starting', run: 'r' }], {}],
  ['one that waits at a dialog', [{ type: 'agent.starting', run: 'r' }, dialog()], {}],
  ['one that is being stopped', [...ready(), { type: 'session.stop', reason: 'x' }], {}],
  ['one that ended', [...ready(), { type: 'agent.exited', detail: 'x' }], {}],
  ['one from before there were hosts', [{ type: 'agent.starting' }, ready()[1] as Command], {}],
] satisfies [string, Command[], object][])('it is not adopted: %s', (_, before, more) => {
  const decision = decide(play(submit('a'), ...before), adopt(more), limits);
  expect(decision).toEqual({ rejection: { code: 'not_running' } });
});

function dialog(): Command {
  return { type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' };
}

const call = (id: string, more: object = {}): Command => ({
  type: 'tool.call',
  call: id,
  tool: 'exec',
  args: {},
  ruling: letThrough,
  ...more,
});
const asked = { ruling: { decision: 'ask', why: 'a rule' }, question: { code: 'abcde', expires_at: 9 } };

test('of open waits only the calls that the bridge itself carried out are closed, in words', () => {
  const session = play(
    submit('a'),
    ...ready(),
    taken,
    call('of the hub'),
    call('of a provider', { provider: 'notes' }),
    call('to the chat', { tool: 'reply' }),
    call('not run yet', { provider: 'notes', ...asked }),
    { type: 'permission.ask', code: 'fghij', tool: 'Bash', input: {}, expires_at: 9, hook: 3 },
  );
  const [adopted, [, ...dropped]] = apply(session, adopt());
  const reason = expect.stringContaining('may have been carried out');
  expect(dropped).toEqual([
    { type: 'tool.dropped', call: 'of a provider', reason },
    { type: 'tool.dropped', call: 'to the chat', reason },
  ]);
  expect(adopted.calls.map((open) => open.call)).toEqual(['of the hub']);
  expect(openAsks(adopted)).toEqual(openAsks(session));
  expect(openAsks(adopted).map(({ hook }) => hook)).toEqual([undefined, 3]);
  const allowed = decide(adopted, { type: 'permission.expire', code: 'abcde' }, limits);
  expect(allowed).toMatchObject({ events: [{ verdict: 'deny' }, { call: 'not run yet' }, {}] });
});

test.each([
  ['the operator asked', [{ ...submit('a'), ingress: 'operator' } as Command, ...ready(), taken]],
  ['Claude began by itself', [...ready(), { type: 'prompt.foreign', turn: 'a', prompt: 'p', text: '' }]],
  ['nobody asked for', [...ready()]],
] satisfies [string, Command[]][])(
  'a tool of the hub that was run out of turn is closed, too: %s',
  (_, before) => {
    const session = play(...before, call('c'));
    expect(session.calls).toMatchObject([{ call: 'c' }]);
    expect(brings(session)).toMatchObject([{ type: 'tool.dropped', call: 'c' }]);
  },
);

test('what its provider carried out is dropped once, also where its turn ends', () => {
  const session = play(submit('a'), ...ready(), call('c', { provider: 'notes' }), cancel);
  const dropped = brings(session).filter(({ type }) => type === 'tool.dropped');
  expect(dropped).toHaveLength(1);
});

test('what goes into the turn that runs is still on its way, and by which hook', () => {
  const steered: Command = { ...submit('b'), mode: 'steer' } as Command;
  const joining: Command = { type: 'prompt.joining', turn: 'b', hook: 7 };
  const session = play(submit('a'), ...ready(), taken, steered, joining);
  expect(brings(session)).toEqual([]);
  const phase = { name: 'joining', into: 'a', hook: 7 };
  expect(findTurn(apply(session, adopt())[0], 'b')?.phase).toEqual(phase);
});

test('a turn that is over knows its prompt, whatever ended it', () => {
  const ended: Command = { type: 'turn.rest', prompt: 'p' };
  const phase = findTurn(play(submit('a'), ...ready(), taken, ended), 'a')?.phase;
  expect(phase).toMatchObject({ name: 'settled', outcome: 'completed', prompt: 'p' });
});

test('how far hooks were heard never goes back within a run, and ends with it', () => {
  const heard = (events: SessionEvent[]) => fold(emptySession('k'), events).heard;
  const starting: SessionEvent = { type: 'agent.starting', run: 'r' };
  const mode = (n: number): SessionEvent => ({ type: 'agent.mode', mode: 'plan', heard: n });
  expect(heard([starting, mode(3), mode(2)])).toBe(3);
  expect(heard([starting, mode(3), { ...starting, run: 'another' }])).toBeUndefined();
  expect(heard([starting, mode(3), { type: 'agent.exited', detail: 'x', heard: 4 }])).toBeUndefined();
  expect(heard([mode(3), { type: 'agent.starting' }, mode(4)])).toBeUndefined();
});

/** Whatever happened before: its Claude is the one that a host has. */
const alive: SessionEvent[] = [
  { type: 'agent.starting', run: 'r' },
  { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] },
];

test('whatever happens: after it nothing is lost, nothing is given twice, and work goes on', () => {
  forEachDeepHistory(() => ({ after: before }) => {
    // See held.long.test.ts.
    if (before.move) return;
    for (const typed of [true, false]) {
      const [after, events] = apply(fold(before, alive), adopt({ typed }));
      const [running, was] = [runningTurn(before), deliveringTurn(before)];
      const isUnseen = was?.phase.name === 'delivering' && !(was.phase.handed && typed);
      const isOver = isUnseen && was.cancelledBy !== undefined;
      const effects = events.flatMap(effectsOf).map(({ type }) => type);
      expect(effects.includes('interrupt')).toBe(
        running?.cancelledBy !== undefined || (was?.cancelledBy !== undefined && !isOver),
      );
      expect(effects).not.toContain('stop');
      expect(after).toMatchObject({ run: 'r', agent: { name: 'ready', pid: 2 } });
      const isCut = (open: ToolCall) => isOwnTool(after, open) || isOutOfTurn(after, open);
      expect([after.lease, after.calls.filter(isCut)]).toEqual([undefined, []]);
      if (isOver) expect(findTurn(after, was.id)?.phase).toMatchObject({ outcome: 'cancelled' });
      else if (was) expect(deliveringTurn(after)?.id).toBe(was.id);
      if (was && !isUnseen) expect(deliveringTurn(after)?.phase).toEqual(was.phase);
      if (running) expect(runningTurn(after)?.phase).toEqual(running.phase);
      if (!isOver) expect(openAsks(after)).toEqual(openAsks(before));
      if (queuedTurns(after).length > 0) expect(currentTurn(after) ?? queuedInClaude(after)).toBeDefined();
      const delivered = events.flatMap((each) => (each.type === 'turn.delivering' ? each.turn : []));
      const next = queuedTurns(before)[0];
      // What held one the bridge before looked after: it is tried again, whatever runs.
      const isHeld = next !== undefined && holdOf(next) !== undefined;
      const isWaiting =
        queuedInClaude(before) !== undefined || (was ? !isOver : running !== undefined && !isHeld);
      const due = isUnseen && !isOver ? was : isWaiting ? undefined : next;
      expect(delivered).toEqual(due ? [due.id] : []);
    }
  });
});

test('whatever happens: while everything is stopped it comes to rest like any other', () => {
  forEachDeepHistory(() => ({ after: before }) => {
    const [after, events] = apply(fold(before, alive), adopt({ typed: false }), { panic });
    const effects = events.flatMap(effectsOf).map(({ type }) => type);
    expect(effects).not.toContain('deliver');
    expect([openAsks(after), after.calls, after.lease]).toEqual([[], [], undefined]);
    const turn = currentTurn(after);
    if (turn) expect([turn.cancelledBy, effects.includes('interrupt')]).toEqual([expect.anything(), true]);
    else expect(after.agent.name).toBe('stopping');
    const kept = queuedTurns(after).map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining(queuedTurns(before).map(({ id }) => id)));
  });
});
