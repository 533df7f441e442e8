// What a full disk does to a bridge at work: nothing new is taken, and nothing that happened is forgotten.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SqliteJournal } from '../../../src/bridge/journal/sqlite-journal.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryDisk } from '../../support/memory-disk.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const body = (text: string, stream = false) => ({
  model: 'claude',
  stream,
  messages: [{ role: 'user', content: text }],
});
const named = { headers: { 'x-synthesis-session': 'work' } };
const key = 'work';

let clock: ManualClock;
let disk: MemoryDisk;
let journal: SqliteJournal;
let bridge: SmallBridge;

beforeEach(async () => {
  clock = new ManualClock();
  disk = new MemoryDisk();
  journal = disk.journal({ clock });
  bridge = await SmallBridge.start({ clock, journal, failed: () => {} });
  bridge.agent.onPrompt = ({ turn }, session) => bridge.agent.take(session.key, turn);
});

afterEach(() => bridge[Symbol.asyncDispose]());

const ask = (text: string) => bridge.post(body(text), named);
const session = () => bridge.dispatcher.session(key);
const prompts = () => bridge.agent.prompts.map(({ prompt }) => prompt.text);
const stored = (type: SessionEvent['type']) =>
  disk.rows.filter((row) => (JSON.parse(row.body) as SessionEvent).type === type).length;

/** There is room again, and the journal has seen it. */
async function makeRoom(): Promise<void> {
  disk.trouble = undefined;
  clock.advance(1000);
  await bridge.dispatcher.stored();
}

/** Claude works on a message. */
async function working(): Promise<{ turn: string; response: Promise<Response> }> {
  const response = ask('work');
  const turn = await until(
    'the turn',
    () => session()?.turns.find(({ phase }) => phase.name === 'running')?.id,
  );
  await bridge.dispatcher.stored();
  return { turn, response };
}

test('a message is refused, nothing of it is kept, and the same words are a new message when there is room', async () => {
  disk.trouble = 'full';
  const first = await ask('hello');
  expect(first.status).toBe(503);
  expect(await first.text()).toContain('The disk of the bridge is full, and the message was not taken.');
  // The first one found out; this one is refused at the door.
  const second = await ask('hello');
  expect(second.status).toBe(503);
  await makeRoom();
  expect([prompts(), session()?.turns]).toEqual([[], []]);
  bridge.agent.onPrompt = ({ turn }) => {
    bridge.agent.take(key, turn);
    bridge.agent.endTurn(key, turn, 'here I am');
  };
  const third = await ask('hello');
  expect(await third.text()).toContain('here I am');
  expect(prompts()).toEqual(['hello']);
});

test('a message that waits behind another is taken back, and the one in front goes on', async () => {
  const { turn, response } = await working();
  disk.trouble = 'full';
  expect((await ask('and this')).status).toBe(503);
  await makeRoom();
  bridge.agent.endTurn(key, turn, 'done');
  expect(await (await response).text()).toContain('done');
  expect(prompts()).toEqual(['work']);
});

describe.each([
  ['and there is a reserve', 100],
  ['and the reserve is full, too', 0],
])('while the disk is full %s', (_words, room) => {
  beforeEach(() => {
    disk.room = room;
  });

  test('a verdict reaches Claude without a restart, once', async () => {
    const { turn } = await working();
    bridge.agent.report(key, {
      type: 'permission.ask',
      code: 'abcde',
      tool: 'Bash',
      input: {},
      expires_at: 1e15,
    });
    await bridge.dispatcher.stored();
    disk.trouble = 'full';
    const outcome = bridge.dispatcher.dispatch(key, {
      type: 'permission.decide',
      code: 'abcde',
      verdict: 'deny',
      by: 'cli',
    });
    expect(outcome.ok).toBe(true);
    expect(await bridge.dispatcher.kept(journal.last)).toBe(room > 0);
    expect(bridge.agent.permissions).toHaveLength(room > 0 ? 1 : 0);
    await makeRoom();
    expect(bridge.agent.permissions).toMatchObject([{ code: 'abcde', verdict: 'deny' }]);
    expect(stored('permission.decided')).toBe(1);
    bridge.agent.endTurn(key, turn, 'done');
  });

  test('the end of a turn is kept: its reader gets it, and the next message starts a turn', async () => {
    const { turn, response } = await working();
    disk.trouble = 'full';
    bridge.agent.say(key, turn, 'almost ');
    bridge.agent.endTurn(key, turn, 'done');
    await bridge.dispatcher.kept(journal.last);
    await makeRoom();
    expect(await (await response).text()).toContain('done');
    expect(stored('turn.settled')).toBe(1);
    bridge.agent.onPrompt = ({ turn: next }) => {
      bridge.agent.take(key, next);
      bridge.agent.endTurn(key, next, 'again');
    };
    expect(await (await ask('once more')).text()).toContain('again');
  });
});

test('what was put aside is there after a crash, also while the disk is still full', async () => {
  const { turn } = await working();
  disk.room = 100;
  disk.trouble = 'full';
  bridge.agent.endTurn(key, turn, 'done');
  await bridge.dispatcher.stored();
  for (const trouble of ['full', undefined] as const) {
    disk.trouble = trouble;
    const next = await SmallBridge.start({ clock, journal: disk.journal({ clock }) });
    next.dispatcher.load();
    const [found] = next.dispatcher.session(key)?.turns ?? [];
    expect(found?.phase).toMatchObject({ name: 'settled', outcome: 'completed' });
    expect(String(found?.answer.text)).toBe('done');
    await until('the first write', () => next.journal.health === (trouble ?? 'ok'));
    await next[Symbol.asyncDispose]();
  }
  expect(disk.rows.map(({ seq }) => seq)).toEqual(disk.rows.map((_, index) => index + 1));
});

test('who reads an answer when the disk fails hears it, and nobody is told that a message was taken', async () => {
  const stream = await bridge.post(body('work', true), named);
  const turn = await until(
    'the turn',
    () => session()?.turns.find(({ phase }) => phase.name === 'running')?.id,
  );
  bridge.agent.say(key, turn, 'half of it');
  await bridge.dispatcher.stored();
  disk.trouble = 'failed';
  bridge.agent.endTurn(key, turn, 'half of it, and the rest');
  const text = await stream.text();
  expect(text).toContain('and the rest');
  expect(text).toContain("The disk of the bridge's machine failed");
  expect(text).toContain('[DONE]');
  const refused = await ask('more');
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('not taken')]);
});

// Found by the crash matrix: its answer reached the next bridge, which knew no such question and took it for a message.
test('a question that the disk did not take is shown to nobody', async () => {
  const stream = await bridge.post(body('work', true), named);
  const turn = await until(
    'the turn',
    () => session()?.turns.find(({ phase }) => phase.name === 'running')?.id,
  );
  await bridge.dispatcher.stored();
  disk.trouble = 'failed';
  const ask = { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: {}, expires_at: 1e15 } as const;
  bridge.agent.report(key, ask);
  await expect(bridge.dispatcher.stored()).rejects.toThrow('the disk failed');
  bridge.dispatcher.dispatch(key, { type: 'turn.expire', turn, code: 'disk_failed' });
  const text = await stream.text();
  expect(text).not.toContain('abcde');
  expect(text).toContain("The disk of the bridge's machine failed");
});

test('a message that was being stored when the disk failed is not said to be gone', async () => {
  disk.trouble = 'failed';
  const response = await ask('hello');
  expect(response.status).toBe(503);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe('disk_failed');
  expect(error.message).toContain('look at the conversation before you send it again');
});

// Found by a random history: how it ended was in memory as well, and so it could not be taken back.
test('a message that was stopped while it waited for room is not acknowledged before it is stored', async () => {
  disk.trouble = 'full';
  const submit = { type: 'turn.submit', turn: 't', claude: 'c', ingress: 'openai', text: 'hello' } as const;
  const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
  const outcome = bridge.dispatcher.dispatch(key, { ...submit, launch });
  if (!outcome.ok) throw new Error('it was refused');
  const took = bridge.dispatcher.took(key, 't', outcome.seq);
  bridge.dispatcher.dispatch(key, { type: 'session.stop', reason: 'stopped' });
  expect(session()?.turns).toMatchObject([{ phase: { name: 'settled' } }]);
  let told: boolean | undefined;
  void took.then((taken) => {
    told = taken;
  });
  await bridge.dispatcher.kept(journal.last);
  expect(told).toBeUndefined();
  await makeRoom();
  expect([await took, stored('turn.settled')]).toEqual([true, 1]);
});
