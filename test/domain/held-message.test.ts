// A message that cannot be handed over before a person has done something: it waits, and goes out by itself.
import { beforeEach, expect, test } from 'vitest';
import type { CallerCommand } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { brokenInvariant } from '../../src/domain/state/broken-invariant.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn } from '../../src/domain/state/session.ts';
import { restoredEvent } from '../../src/domain/state/snapshot.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import { turnRows } from '../../src/domain/views/session/turn-row.ts';
import { turnWait } from '../../src/domain/views/session/turn-wait.ts';
import { SmallCore } from '../support/small-core.ts';

const hold = { code: 'hooks_off', detail: 'disableAllHooks in /home/alice/settings.json' } as const;
const held = { name: 'queued', held: hold };
const delivering = { name: 'delivering', attempt: 1 };

let core: SmallCore;
beforeEach(() => {
  core = new SmallCore();
  core.submit('t', 'hi');
  core.dispatch({ type: 'agent.starting', run: 'r1' });
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  core.dispatch({ type: 'prompt.held', turn: 't', ...hold });
});

const phase = (turn = 't') => findTurn(core.session(), turn)?.phase;
const handedOver = () =>
  core.events.flatMap((event) => (event.type === 'turn.delivering' ? [event.turn] : []));
const runs = (turn: string) => core.dispatch({ type: 'prompt.taken', turn, prompt: `p-${turn}` });
const rests = (turn: string) => core.dispatch({ type: 'turn.rest', prompt: `p-${turn}` });

test('goes back in line with the reason on it, and is not tried again before there is a way', () => {
  expect(phase()).toEqual(held);
  expect(handedOver()).toEqual(['t']);
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  expect(phase()).toEqual(held);
  core.dispatch({ type: 'agent.open' });
  expect(phase()).toEqual(delivering);
});

test('is delivered once, however often a way is told', () => {
  core.dispatch({ type: 'agent.open' });
  core.dispatch({ type: 'agent.open' });
  runs('t');
  core.dispatch({ type: 'agent.open' });
  rests('t');
  core.dispatch({ type: 'agent.open' });
  expect(handedOver()).toEqual(['t', 't']);
  expect(phase()).toMatchObject({ outcome: 'completed' });
});

test('is not overtaken by a newer one, which follows', () => {
  core.submit('next', 'and then?');
  expect([phase(), phase('next')]).toEqual([held, { name: 'queued' }]);
  core.dispatch({ type: 'agent.open' });
  expect([phase(), phase('next')]).toEqual([delivering, { name: 'queued' }]);
  runs('t');
  rests('t');
  expect(phase('next')).toEqual(delivering);
});

test('stays first also when somebody else gets a turn meanwhile', () => {
  core.submit('next', 'and then?');
  core.dispatch({ type: 'prompt.foreign', turn: 'typed', prompt: 'p-typed', text: 'x' });
  rests('typed');
  expect([phase('typed'), phase(), phase('next')]).toMatchObject([
    { outcome: 'completed' },
    held,
    { name: 'queued' },
  ]);
  expect(handedOver()).toEqual(['t']);
});

test.each<[string, CallerCommand, object | undefined]>([
  [
    'cancelled',
    { type: 'turn.cancel', turn: 't', by: 'alice' },
    { name: 'settled', outcome: 'cancelled', detail: 'alice' },
  ],
  ['withdrawn', { type: 'turn.withdraw', turn: 't' }, undefined],
  [
    'given up after its time',
    { type: 'turn.expire', turn: 't', code: 'expired' },
    { name: 'settled', outcome: 'expired', code: 'expired' },
  ],
])('can be %s, and what waits behind it is tried then', (_, command, left) => {
  core.submit('next', 'and then?');
  core.dispatch(command);
  expect(phase()).toEqual(left);
  expect(phase('next')).toEqual(delivering);
});

test('gives way in a full line, and the next one is tried', () => {
  const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
  const submit = (turn: string): CallerCommand => ({
    type: 'turn.submit',
    turn,
    claude: 'c',
    launch,
    ingress: 'openai',
    text: turn,
  });
  let session = core.session();
  for (const turn of ['next', 'last']) {
    const decision = decide(session, submit(turn), { queued: 2 });
    for (const event of 'events' in decision ? decision.events : []) session = evolve(session, event, 0);
    expect(brokenInvariant(session)).toBeUndefined();
  }
  expect(['t', 'next', 'last'].map((turn) => findTurn(session, turn)?.phase)).toMatchObject([
    { outcome: 'failed', code: 'overflow' },
    delivering,
    { name: 'queued' },
  ]);
});

test.each<[string, CallerCommand]>([
  ['the bridge starts anew', { type: 'session.recover' }],
  ['the bridge finds Claude Code alive', { type: 'session.adopt', run: 'r1', pid: 2, typed: false }],
  ['the operator stops Claude Code', { type: 'session.stop', reason: 'so' }],
  ['work goes on after everything was stopped', { type: 'session.proceed' }],
  ['the bridge lost track', { type: 'session.reset', rule: 'so', reports: [] }],
])('is tried once when %s', (_, command) => {
  core.dispatch(command);
  expect(phase()).toEqual(delivering);
  expect(handedOver()).toEqual(['t', 't']);
});

test('is tried when the operator starts a Claude Code that had ended', () => {
  core.dispatch({ type: 'agent.exited', detail: 'it ended' });
  expect(phase()).toEqual(held);
  core.dispatch({ type: 'session.start', by: 'the operator' });
  expect(phase()).toEqual(delivering);
});

test('waits on while everything is stopped', () => {
  const panic = { since: 1, by: 'the operator' };
  const decision = decide(core.session(), { type: 'agent.open' }, { queued: 3, panic });
  const begins = 'events' in decision && decision.events.some(({ type }) => type === 'turn.delivering');
  expect(begins).toBe(false);
});

test('ends with the conversation', () => {
  core.dispatch({ type: 'session.remove' });
  expect(phase()).toMatchObject({ outcome: 'cancelled', code: 'removed' });
});

test('was cancelled, if somebody did that before it was held', () => {
  core.dispatch({ type: 'agent.open' });
  core.dispatch({ type: 'turn.cancel', turn: 't', by: 'alice' });
  core.dispatch({ type: 'prompt.held', turn: 't', ...hold });
  expect(phase()).toMatchObject({ outcome: 'cancelled', detail: 'alice' });
});

test('is another one than that which waits', () => {
  core.submit('next', 'and then?');
  core.dispatch({ type: 'prompt.held', turn: 'next', ...hold });
  expect([phase('next'), core.refused.length]).toEqual([{ name: 'queued' }, 1]);
});

test.each([
  ['a start that failed', 'hooks_off', true],
  ['a start that failed for good', 'start_exited', false],
] as const)('%s leaves to the agent what becomes of the message: %s, %s', (_, failure, isLeft) => {
  core.dispatch({ type: 'agent.open' });
  core.dispatch({ type: 'agent.exited', detail: 'x', failure });
  expect(phase()?.name).toBe(isLeft ? 'delivering' : 'settled');
});

test.each([
  ['start_dialog', 'delivering'],
  ['folder_untrusted', 'settled'],
] as const)('a dialog at the start (%s) leaves the message %s', (failure, name) => {
  core.dispatch({ type: 'agent.open' });
  core.dispatch({ type: 'agent.dialog', dialog: 'd', screen: '', failure });
  expect(phase()?.name).toBe(name);
});

test('is the same after a replay, and from a snapshot', () => {
  const replayed = core.events.reduce((session, event) => evolve(session, event, 0), emptySession('k'));
  expect(replayed).toEqual(core.session());
  const restored = evolve(emptySession('k'), restoredEvent(core.session()), 0);
  expect(findTurn(restored, 't')?.phase).toEqual(held);
});

test('is shown with its reason, and once', () => {
  const row = () => sessionRow(core.session(), 'id');
  expect(row()).toMatchObject({ queued: 1, state: 'idle' });
  expect(row().health).toEqual([{ code: 'hooks_off', words: expect.stringContaining(hold.detail) }]);
  expect(turnRows(core.session())).toMatchObject([{ phase: 'queued', code: 'hooks_off' }]);
  const turn = findTurn(core.session(), 't');
  expect(turn && turnWait(core.session(), turn)?.words).toContain('A message waits.');
  const health = [{ code: 'hooks_off', words: 'off' }];
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health });
  expect(row().health).toEqual(health);
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  core.dispatch({ type: 'agent.open' });
  expect(row().health).toEqual([]);
});
