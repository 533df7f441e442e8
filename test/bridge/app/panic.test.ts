// `panic` and `resume` on the bridge's inside, with agents that do what they are told and nothing by themselves.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import { failed } from '../../../src/domain/tools/tool-envelope.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { FillingJournal } from '../../support/filling-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { letThrough } from '../../support/rulings.ts';
import { SmallBridge } from '../../support/small-bridge.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const stopped = 'the operator stopped everything at 2026-01-01 00:00 UTC';

let clock: ManualClock;
let journal: FillingJournal;
let bridge: SmallBridge;

beforeEach(async () => {
  clock = new ManualClock();
  journal = new FillingJournal();
  bridge = await SmallBridge.start({ clock, journal });
  bridge.agent.onPrompt = ({ turn }, { key }) => bridge.agent.take(key, turn);
});

afterEach(() => bridge[Symbol.asyncDispose]());

let turns = 0;
const submit = (key: string, text = 'hello') =>
  bridge.dispatcher.dispatch(key, {
    type: 'turn.submit',
    turn: `turn-${++turns}`,
    claude: 'c',
    launch,
    ingress: 'openai',
    text,
  });

const asks = (key: string, code: string) =>
  bridge.agent.report(key, { type: 'permission.ask', code, tool: 'Bash', input: {}, expires_at: 1e15 });
const session = (key: string) => bridge.dispatcher.session(key);
const events = (type: SessionEvent['type']) =>
  [...journal.read(0)].filter(({ event }) => event.type === type);

/** The session's Claude works. */
async function working(key: string): Promise<void> {
  submit(key);
  await bridge.dispatcher.stored();
}

test('with 50 sessions at work everything was sent before anybody is told that it is done', async () => {
  const keys = Array.from({ length: 50 }, (_, n) => `session ${n}`);
  for (const key of keys) {
    await working(key);
    asks(key, `ask of ${key}`);
    bridge.agent.report(key, {
      type: 'tool.call',
      call: `call of ${key}`,
      tool: 'exec',
      args: {},
      ruling: letThrough,
    });
    submit(key, 'and then');
  }
  await bridge.dispatcher.stored();
  const { agent } = bridge;
  const before = journal.last;

  const done = await bridge.panic.panic({ reason: 'a runaway loop' });

  expect(bridge.kept).toEqual({
    since: clock.wall(),
    by: 'the operator, at the command line',
    reason: 'a runaway loop',
  });
  expect(agent.interrupted).toEqual(keys);
  expect(agent.permissions.map(({ code, verdict }) => [code, verdict])).toEqual(
    keys.map((key) => [`ask of ${key}`, 'deny']),
  );
  const content = JSON.stringify(failed('CANCELLED', stopped));
  expect(agent.toolAnswers).toEqual(
    keys.map((key) => ({ call: `call of ${key}`, ok: false, content, envelope: true })),
  );
  expect(done).toMatchObject({
    interrupted: 50,
    denied: 50,
    dropped: 50,
    waiting: 50,
    kept: true,
    already: false,
  });
  // One row for the house and three for each session: what it costs does not grow with anything else.
  expect(journal.last - before).toBe(1 + 3 * keys.length);
});

test('whatever a Claude still does while it winds down is answered at once, and it is ended', async () => {
  await working('s');
  await bridge.panic.panic({});
  const { agent } = bridge;
  asks('s', 'later');
  agent.report('s', { type: 'tool.call', call: 'late', tool: 'exec', args: {}, ruling: letThrough });
  await bridge.dispatcher.stored();
  expect(agent.permissions).toMatchObject([{ code: 'later', verdict: 'deny', reason: stopped }]);
  const content = JSON.stringify(failed('DENIED', stopped));
  expect(agent.toolAnswers).toEqual([{ call: 'late', ok: false, content, envelope: true }]);
  expect(events('tool.called')).toEqual([]);

  agent.report('s', { type: 'turn.idle', interrupted: true });
  await bridge.dispatcher.stored();
  expect(agent.stopped).toEqual(['s']);
  expect(session('s')?.turns[0]?.phase).toMatchObject({ outcome: 'cancelled', code: 'panic' });
});

test('a prompt that nobody in a chat sent, such as the end of a background task, is interrupted at once', async () => {
  await working('s');
  await bridge.panic.panic({});
  const { agent } = bridge;
  agent.report('s', { type: 'turn.idle', interrupted: true });
  agent.report('s', { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  agent.report('s', { type: 'prompt.foreign', turn: 'x', prompt: 'p', text: '<task-notification>' });
  await bridge.dispatcher.stored();
  expect(agent.interrupted).toEqual(['s', 's']);
  expect(events('turn.cancelling').at(-1)?.event).toMatchObject({ turn: 'x', by: stopped });
});

test('a Claude that does not stop is ended when its time is over', async () => {
  const deadlines = new Deadlines({
    clock,
    cancelMs: 10_000,
    deliverMs: 60_000,
    turnMs: 60_000,
    unattendedMs: 60_000,
    tasksMs: 60_000,
    dispatch: (key, command) => void bridge.dispatcher.dispatch(key, command),
  });
  journal.subscribe((row) => deadlines.observe(row));
  await working('s');
  await bridge.panic.panic({});
  clock.advance(9_999);
  await bridge.dispatcher.stored();
  expect(bridge.agent.stopped).toEqual([]);
  clock.advance(1);
  await bridge.dispatcher.stored();
  expect(bridge.agent.stopped).toEqual(['s']);
  deadlines.close();
});

test('a message on its way that Claude cannot have seen waits again, and is handed over once when work goes on', async () => {
  bridge.agent.onPrompt = () => {};
  await working('s');
  submit('s', 'second');
  await bridge.panic.panic({});
  expect(session('s')?.turns.map(({ phase }) => phase.name)).toEqual(['queued', 'queued']);
  expect(bridge.agent.interrupted).toEqual(['s']);
  const before = bridge.agent.prompts.length;

  bridge.agent.onPrompt = ({ turn }, { key }) => {
    bridge.agent.take(key, turn);
    bridge.agent.endTurn(key, turn, 'done');
  };
  expect(await bridge.panic.resume({})).toMatchObject({ resumed: true, waiting: 2 });
  await bridge.dispatcher.stored();
  expect(bridge.agent.prompts.slice(before).map(({ prompt }) => prompt.text)).toEqual(['hello', 'second']);
  expect(bridge.kept).toBeUndefined();
});

test('a chat is answered in words, and its conversation stays as it was', async () => {
  await bridge.panic.panic({ reason: 'secret' });
  const response = await bridge.post(
    { model: 'claude', messages: [{ role: 'user', content: 'hello' }] },
    { headers: { 'x-synthesis-session': 'new' } },
  );
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  const text = body.choices[0]?.message.content;
  expect(response.status).toBe(200);
  expect(text).toContain('The operator stopped everything at 2026-01-01 00:00 UTC.');
  expect(text).toContain('Your message was not taken');
  expect(text).not.toContain('secret');
  expect(bridge.dispatcher.sessionsEver()).toEqual([]);
});

test('a second panic says since when and why, a resume without one says so', async () => {
  expect(await bridge.panic.resume({})).toEqual({ resumed: false, panic: null, waiting: 0 });
  await bridge.panic.panic({ reason: 'first', door: 'tui' });
  clock.advance(60_000);
  expect(await bridge.panic.panic({ reason: 'second' })).toMatchObject({
    already: true,
    since: '2026-01-01T00:00:00.000Z',
    by: 'the operator, at the screen',
    reason: 'first',
  });
  expect(events('bridge.panicked')).toHaveLength(1);
});

test('nobody is told that it is done before it is on disk', async () => {
  await working('s');
  const disk = Promise.withResolvers<void>();
  journal.written = disk.promise;
  let told = false;
  const done = bridge.panic.panic({}).then(() => {
    told = true;
  });
  await new Promise(setImmediate);
  expect([told, bridge.agent.interrupted]).toEqual([false, []]);
  expect(bridge.kept).toBeDefined();
  disk.resolve();
  await done;
  expect(bridge.agent.interrupted).toEqual(['s']);
});

test('a disk that takes nothing does not keep anybody at work', async () => {
  await working('s');
  journal.full = true;
  await bridge.panic.panic({});
  expect(bridge.endedAll).toEqual([stopped]);
});

test('a disk that answers nothing for a second does not keep anybody at work', async () => {
  await working('s');
  const disk = Promise.withResolvers<void>();
  journal.written = disk.promise;
  const done = bridge.panic.panic({});
  await new Promise(setImmediate);
  expect(bridge.endedAll).toEqual([]);
  clock.advance(1_000);
  await new Promise(setImmediate);
  expect(bridge.endedAll).toEqual([stopped]);
  disk.resolve();
  await done;
});

test('a panic that cannot be kept for the next start says so, and stops everything nevertheless', async () => {
  await working('s');
  bridge.saveFails = true;
  expect(await bridge.panic.panic({})).toMatchObject({ kept: false, interrupted: 1 });
  expect(bridge.agent.interrupted).toEqual(['s']);
});

test('what was decided while no bridge ran holds, and the journal tells', async () => {
  bridge.kept = { since: 1, by: 'somebody' };
  bridge.panic.lookAgain();
  submit('s');
  expect([bridge.panic.record, session('s')]).toEqual([{ since: 1, by: 'somebody' }, undefined]);
  expect(events('bridge.panicked')).toMatchObject([{ session: '', event: { since: 1, by: 'somebody' } }]);
});
