// What a compaction writes down of a session is all of it: whoever goes on from there is where everybody else is.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectsOf } from '../../src/domain/effects.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';
import {
  needsSnapshot,
  restoredEvent,
  restoreSession,
  SnapshotNewerError,
  snapshotOf,
} from '../../src/domain/state/snapshot.ts';
import { Text } from '../../src/domain/state/text.ts';
import { SessionEvent } from '../../src/protocol/events/events.ts';
import { runs } from '../support/runs.ts';
import { anyHistory } from './any-event.ts';
import { forEachDeepHistory } from './deep-history.ts';
import { evolved } from './evolved.ts';

/** As the journal stores it, and as a start reads it. */
const stored = (session: Session): SessionEvent => JSON.parse(JSON.stringify(restoredEvent(session)));
const again = (session: Session): Session => evolve(emptySession(session.key), stored(session), 99);
const fold = (session: Session, ...events: SessionEvent[]): Session =>
  events.reduce((state, event) => evolve(state, event, 7), session);

/** The long words of a difference only where there is one. */
function expectSame(found: Session, expected: Session): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected);
}

type Place = (session: Session) => unknown;

const phases = ['queued', 'delivering', 'joining', 'running', 'settled'].map((name): [string, Place] => [
  `a turn that is ${name}`,
  ({ turns }) => turns.some(({ phase }) => phase.name === name),
]);
const states = ['asked', 'decided', 'sent', 'settled'].map((name): [string, Place] => [
  `a question that is ${name}`,
  ({ asks }) => asks.some(({ state }) => state.name === name),
]);

/** What the random histories have to get to. */
const places: Record<string, Place> = {
  ...Object.fromEntries([...phases, ...states]),
  'a piece that waits for one before it': ({ turns }) =>
    turns.some(({ answer }) => answer.messages.some(({ held }) => held.length > 1)),
  'a piece behind a message that is not complete': ({ turns }) =>
    turns.some(({ answer }) => answer.messages.some(({ start, held }) => start < 0 && held.length > 0)),
  'an answer of several blocks': ({ turns }) => turns.some(({ answer }) => answer.text.blocks.length > 1),
  'an ask that several have to answer': ({ asks }) => asks.some(({ needs, votes }) => needs && votes),
  'a response that said something': ({ responses, newest }) =>
    newest !== undefined && responses.some(({ said }) => said?.text.length),
  'a response that was deleted': ({ responses }) => responses.some(({ deleted }) => deleted),
  'how far a host was heard': ({ run, heard }) => run !== undefined && heard !== undefined,
  'hooks that are held': ({ turns, asks }) =>
    asks.some(({ hook }) => hook !== undefined) &&
    turns.some(({ phase }) => phase.name === 'joining' && phase.hook !== undefined),
  'the prompt of a turn that is over': ({ turns }) =>
    turns.some(({ phase }) => phase.name === 'settled' && phase.prompt !== undefined),
  'somebody who drives': ({ lease }) => lease !== undefined,
  'errands of somebody': ({ errands }) => errands.some(({ sender }) => sender),
  'a call and a question of a provider': ({ calls, asks }) =>
    calls.some(({ provider }) => provider) && asks.some(({ provider }) => provider),
  'how far a call is': ({ calls }) => calls.some(({ progress }) => progress !== undefined),
  'open calls and a catalog': ({ calls, tools }) => calls.length > 1 && tools.length > 1,
  'a mode and a status': ({ mode, status }) => mode !== undefined && status !== undefined,
  'replies, sent and owed': ({ replies }) => new Set(replies.map(({ sent }) => sent)).size === 2,
  'a key that is no name': ({ turns }) => turns.some(({ meta }) => Object.hasOwn(meta, '__proto__')),
  'a session that is removed': ({ removed }) => removed,
};

test('a session is the same after it was written down, wherever it stands, and goes on the same', () => {
  const unseen = new Set(Object.keys(places));
  fc.assert(
    fc.property(anyHistory, fc.nat(150), (events, cut) => {
      let session = emptySession('k');
      let restored = session;
      for (const [n, event] of events.entries()) {
        session = evolve(session, event, n);
        restored = n === cut ? again(session) : evolve(restored, event, n);
        expectSame(restored, session);
        if (n % 8 === 0) expectSame(again(session), session);
        for (const place of unseen) if (places[place]?.(session)) unseen.delete(place);
      }
      expectSame(again(again(session)), session);
    }),
    { numRuns: runs(100) },
  );
  expect([...unseen]).toEqual([]);
});

test('so it is in the middle of all that people and Claude can do', () => {
  forEachDeepHistory(() => {
    let restored: Session | undefined;
    let step = 0;
    return ({ before, each, after }) => {
      if (restored === undefined || step % 10 === 0) restored = again(before);
      for (const { event } of each) restored = evolve(restored, event, step);
      expectSame(restored, after);
      step += 1;
    };
  });
});

test('an answer goes on where it stopped, whichever pieces wait for one that is late', () => {
  const piece = (message: string, index: number, of: number): SessionEvent => ({
    type: 'answer.delta',
    turn: 't',
    message,
    index,
    text: `${message}.${index} ${'x'.repeat(9_000)}\n`,
    final: index === of - 1,
  });
  const early = [piece('a', 0, 4), piece('a', 2, 4), piece('b', 1, 2), piece('a', 3, 4), piece('b', 0, 2)];
  const session = fold(evolved({}), ...early);
  const [held] = session.turns[0]?.answer.messages[0]?.held ?? [];
  expect(held).toMatchObject({ from: 2, next: 4, final: true });
  const restored = again(session);
  expect(restored).toStrictEqual(session);
  expect(restored.turns[0]?.answer.messages[0]?.held[0]?.text).toBeInstanceOf(Text);
  const ended = fold(restored, piece('a', 1, 4));
  expect(ended).toStrictEqual(fold(session, piece('a', 1, 4)));
  expect(String(ended.turns[0]?.answer.text).match(/[ab]\.\d/g)).toEqual([
    ...['a.0', 'a.1', 'a.2', 'a.3'],
    ...['b.0', 'b.1'],
  ]);
});

test('what a response said is kept once where it is the answer', () => {
  const session = fold(
    evolved({}),
    { type: 'answer.delta', turn: 't', message: 'm', index: 0, text: 'the answer', final: true },
    { type: 'response.opened', response: 'r1', turn: 't', model: 'm', input: [] },
    { type: 'response.opened', response: 'r2', turn: 't', model: 'm', input: [] },
    { type: 'response.closed', response: 'r1', text: 'the answer', calls: [] },
    { type: 'response.closed', response: 'r2', text: 'other words', calls: [] },
  );
  const { turns, responses } = again(session);
  expect(responses.map(({ said }) => String(said?.text))).toEqual(['the answer', 'other words']);
  expect(responses[0]?.said?.text).toBe(turns[0]?.answer.text);
});

test('it replaces all that was folded before, but the key, and nothing has to happen for it', () => {
  const session = evolved({});
  const other = fold(
    emptySession('k'),
    { type: 'lease.taken', lease: 'l', by: 'somebody' },
    { type: 'agent.mode', mode: 'plan' },
    { type: 'permission.asked', code: 'abcde', tool: 'Bash', input: {}, expires_at: 0 },
  );
  expect(fold(other, stored(session))).toStrictEqual(session);
  expect(fold(emptySession('another'), stored(session)).key).toBe('another');
  expect(effectsOf(stored(session))).toEqual([]);
  expect(SessionEvent.parse(stored(session))).toStrictEqual(stored(session));
});

test('a form that a later release wrote is an error in words', () => {
  const newer = { ...stored(evolved({})), version: 2 } as unknown as SessionEvent;
  expect(() => fold(emptySession('k'), newer)).toThrow(SnapshotNewerError);
  expect(() => fold(emptySession('k'), newer)).toThrow(/"k" has form 2, .* a later release wrote it/);
});

test('what a release did not know is empty', () => {
  const { errands: _, ...older } = snapshotOf(evolved({}));
  expect(restoreSession('k', older as ReturnType<typeof snapshotOf>)).toStrictEqual(evolved({}));
});

test('a session that was removed is written down only while something of it goes on or is owed', () => {
  const opened = fold(emptySession('k'), { type: 'session.opened', ingress: 'agp' });
  const removed = fold(opened, { type: 'session.removed' });
  expect([needsSnapshot(opened), needsSnapshot(removed)]).toEqual([true, false]);
  const owed = fold(removed, { type: 'reply.owed', reply: 'r', meta: {} });
  expect(needsSnapshot(owed)).toBe(true);
  expect(needsSnapshot(fold(owed, { type: 'reply.sent', reply: 'r' }))).toBe(false);
  const goesOn: SessionEvent[] = [
    { type: 'agent.stopping', reason: 'x' },
    { type: 'turn.adopted', turn: 't', text: 'x' },
    { type: 'tool.called', call: 'c', tool: 'exec', args: {} },
    { type: 'permission.asked', code: 'abcde', tool: 'Bash', input: {}, expires_at: 0 },
    { type: 'lease.taken', lease: 'l', by: 'somebody' },
  ];
  for (const event of goesOn)
    expect([event.type, needsSnapshot(fold(removed, event))]).toEqual([event.type, true]);
});
