// Calls of a provider's tool: the bridge runs them, whoever else is there.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Readers } from '../../../src/bridge/app/reader/reader.ts';
import type { Ruling } from '../../../src/domain/policy/ruling.ts';
import { failed, succeeded } from '../../../src/domain/tools/tool-envelope.ts';
import { SessionEvent } from '../../../src/protocol/events/events.ts';
import { house } from '../../../src/protocol/events/house.ts';
import { auditOf } from '../../support/audit-of.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { letThrough } from '../../support/rulings.ts';
import { shown } from '../../support/shown.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const key = 's';
let bridge: SmallBridge;

beforeEach(async () => {
  bridge = new SmallBridge();
  bridge.agent.onPrompt = ({ turn }) => bridge.agent.take(key, turn);
  bridge.dispatcher.dispatch(key, {
    type: 'turn.submit',
    turn: 't1',
    claude: 'c',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'go',
  });
  await bridge.dispatcher.stored();
});
afterEach(() => bridge[Symbol.asyncDispose]());

function call(id: string, ruling: Ruling = letThrough): void {
  bridge.agent.report(key, {
    type: 'tool.call',
    call: id,
    tool: 'notes_search',
    args: { query: 'x' },
    tool_use: `use of ${id}`,
    provider: 'notes',
    ruling,
    question: { code: 'abcde', expires_at: 0 },
  });
}

const asked: Ruling = { decision: 'ask', why: 'the test asks' };
const decide = (verdict: 'allow' | 'deny') =>
  bridge.dispatcher.dispatch(key, {
    type: 'permission.decide',
    code: 'abcde',
    verdict,
    by: 'cli',
    ...shown(bridge.dispatcher.session(key), 'abcde'),
  });

test('a call is run once it is on disk, and what came of it reaches Claude as an envelope', async () => {
  call('c1');
  expect(bridge.tools.ran).toEqual([]);
  await bridge.dispatcher.stored();
  expect(bridge.tools.ran).toMatchObject([
    { key, call: { call: 'c1', tool: 'notes_search', args: { query: 'x' }, provider: 'notes' } },
  ]);
  const content = JSON.stringify(succeeded('found'));
  bridge.dispatcher.dispatch(key, { type: 'tool.answer', call: 'c1', ok: true, content, envelope: true });
  await bridge.dispatcher.stored();
  expect(bridge.agent.toolAnswers).toEqual([{ call: 'c1', ok: true, content, envelope: true }]);
  expect(bridge.tools.cancelled).toEqual([]);
});

test('how far a call is, is kept until it ends: the newest alone', async () => {
  const says = (text: string) =>
    bridge.dispatcher.dispatch(key, { type: 'tool.progress', call: 'c1', text }).ok;
  expect(says('too early')).toBe(false);
  call('c1');
  for (const text of ['1 of 3', '1 of 3', '2 of 3', '2 of 3']) expect(says(text)).toBe(true);
  const rows = [...bridge.journal.read(0)].flatMap(({ event }) =>
    event.type === 'tool.progressed' ? [SessionEvent.parse(event)] : [],
  );
  expect(rows).toEqual(['1 of 3', '2 of 3'].map((text) => ({ type: 'tool.progressed', call: 'c1', text })));
  const [open] = bridge.dispatcher.session(key)?.calls ?? [];
  expect(open).toMatchObject({ call: 'c1', tool: 'notes_search', progress: '2 of 3' });
  bridge.dispatcher.dispatch(key, { type: 'tool.answer', call: 'c1', ok: true, content: 'x' });
  expect([says('too late'), bridge.dispatcher.session(key)?.calls]).toEqual([false, []]);
});

test('a call that was dropped before its turn came is not run', async () => {
  call('c1');
  bridge.agent.report(key, { type: 'tool.cancel', call: 'c1' });
  await bridge.dispatcher.stored();
  expect([bridge.tools.ran, bridge.tools.cancelled]).toEqual([[], ['c1']]);
  const content = JSON.stringify(failed('CANCELLED', 'Claude cancelled the call'));
  expect(bridge.agent.toolAnswers).toEqual([{ call: 'c1', ok: false, content, envelope: true }]);
});

test('a call that runs outlives its turn, and brings its result', async () => {
  call('c1');
  await bridge.dispatcher.stored();
  bridge.agent.endTurn(key, 't1', 'enough');
  await bridge.dispatcher.stored();
  expect([bridge.tools.ran.length, bridge.tools.cancelled]).toEqual([1, []]);
  bridge.dispatcher.dispatch(key, { type: 'tool.answer', call: 'c1', ok: true, content: 'late' });
  await bridge.dispatcher.stored();
  expect(bridge.agent.toolAnswers).toEqual([{ call: 'c1', ok: true, content: 'late' }]);
});

test('a call that runs is taken back when its turn is interrupted', async () => {
  call('c1');
  await bridge.dispatcher.stored();
  bridge.agent.report(key, { type: 'turn.idle', interrupted: true });
  await bridge.dispatcher.stored();
  expect([bridge.tools.ran.length, bridge.tools.cancelled]).toEqual([1, ['c1']]);
});

test('a question keeps whose tool it is, and the yes sends the call there', async () => {
  call('c1', asked);
  await bridge.dispatcher.stored();
  expect(bridge.tools.ran).toEqual([]);
  expect(bridge.dispatcher.session(key)?.asks).toMatchObject([{ provider: 'notes', call: 'c1' }]);
  decide('allow');
  await bridge.dispatcher.stored();
  expect(bridge.tools.ran).toMatchObject([{ call: { call: 'c1', provider: 'notes', turn: 't1' } }]);
});

test('a no runs nothing', async () => {
  call('c1', asked);
  decide('deny');
  await bridge.dispatcher.stored();
  expect(bridge.tools.ran).toEqual([]);
  const content = JSON.stringify(failed('DENIED', 'Denied by the user.'));
  expect(bridge.agent.toolAnswers).toEqual([{ call: 'c1', ok: false, content, envelope: true }]);
});

test('no response hands it out: whoever reads the turn waits for its end', async () => {
  call('c1');
  const readers = new Readers(bridge.dispatcher, new ManualClock());
  const { signal } = new AbortController();
  const kinds: string[] = [];
  const reading = (async () => {
    const options = { key, target: 't1', request: 'r', signal, quietMs: 0, interactive: true };
    for await (const { kind } of readers.read(options)) kinds.push(kind);
  })();
  await bridge.dispatcher.stored();
  await setImmediate();
  bridge.dispatcher.dispatch(key, { type: 'tool.answer', call: 'c1', ok: true, content: 'x' });
  bridge.agent.endTurn(key, 't1', 'done');
  await reading;
  expect(kinds).toEqual(['text', 'settled', 'end']);
  expect(await until('the answer', () => bridge.agent.toolAnswers.length)).toBe(1);
});

test('how a provider is, is a row of the house: no session and no audit shows it', async () => {
  const event = {
    type: 'bridge.provider',
    provider: 'notes',
    status: 'degraded',
    reason: 'it is slow',
  } as const;
  expect(SessionEvent.parse(event)).toEqual(event);
  const before = bridge.dispatcher.sessions();
  bridge.dispatcher.record(event);
  await bridge.dispatcher.stored();
  const row = [...bridge.journal.read(0)].at(-1);
  expect(row).toMatchObject({ session: house, event });
  expect(bridge.dispatcher.sessions()).toEqual(before);
  const { all, rest } = auditOf(row ? [[row.session, row.event]] : []);
  expect([...all, ...rest]).toEqual([]);
});
