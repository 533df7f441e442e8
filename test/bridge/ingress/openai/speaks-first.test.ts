// What Claude says without being asked, where no gateway brings it to the chat: it comes with the next answer.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SmallBridge } from '../../../support/small-bridge.ts';
import { until } from '../../../support/until.ts';

const key = 'notes';
let bridge: SmallBridge;

beforeEach(async () => {
  bridge = await SmallBridge.start();
  bridge.agent.onPrompt = ({ turn, text }) => {
    bridge.agent.take(key, turn);
    if (text.includes('leave')) leave();
    bridge.agent.endTurn(key, turn, `You said: ${text}`);
  };
});
afterEach(() => bridge[Symbol.asyncDispose]());

const leave = () =>
  bridge.agent.report(key, {
    type: 'tool.activity',
    tool_use: 'u',
    tool: 'Bash',
    phase: 'succeeded',
    errand: { by: 'task', name: 'u' },
  });

function comesBack(turn: string): void {
  const text = '<task-notification>…</task-notification>';
  bridge.agent.report(key, {
    type: 'prompt.foreign',
    turn,
    prompt: `p-${turn}`,
    text,
    errand: { by: 'task', name: 'u' },
  });
}

async function say(content: string): Promise<string> {
  const headers = { 'x-synthesis-session': key };
  const response = await bridge.post({ model: 'claude', messages: [{ role: 'user', content }] }, { headers });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
}

test('several times in a row, each is marked, and each comes once', async () => {
  await say('leave it running');
  for (const turn of ['a1', 'a2']) {
    comesBack(turn);
    bridge.agent.endTurn(key, turn, `News ${turn}.`);
  }
  const answer = await say('hello');
  const head = '_(about a background task)_';
  expect(answer).toMatch(/^_\(about .*\n\nNews a1\.\n\n_\(about .*\n\nNews a2\.\n\nYou said: .*hello$/);
  expect(answer.split(head)).toHaveLength(3);
  expect(await say('again')).toMatch(/^You said: .*again$/);
});

test('what was typed meanwhile is not among it, and silence neither', async () => {
  await say('leave it running');
  bridge.agent.report(key, { type: 'prompt.foreign', turn: 'typed', prompt: 'p-typed', text: 'secret' });
  bridge.agent.endTurn(key, 'typed', 'A secret answer.');
  comesBack('a1');
  bridge.agent.endTurn(key, 'a1', '');
  expect(await say('hello')).toMatch(/^You said: .*hello$/);
});

test('a message that comes while Claude speaks waits for it, and gets both', async () => {
  await say('leave it running');
  comesBack('a1');
  const answer = say('hello');
  await until('the message', () => bridge.dispatcher.session(key)?.turns.at(-1)?.phase.name === 'queued');
  bridge.agent.endTurn(key, 'a1', 'News.');
  expect(await answer).toMatch(/background task\)_\n\nNews\.\n\nYou said: .*hello$/);
});

test('a question in it comes with the next answer, and a yes gets what follows, marked', async () => {
  await say('leave it running');
  comesBack('a1');
  bridge.agent.report(key, {
    type: 'permission.ask',
    code: 'abcde',
    tool: 'Bash',
    input: { command: 'npm publish' },
    expires_at: Date.now() + 60_000,
  });
  expect(await say('hello')).toContain('npm publish');
  const rest = say('yes abcde');
  await until('the answer', () => bridge.agent.permissions.length > 0);
  bridge.agent.endTurn(key, 'a1', 'Published.');
  expect(await rest).toMatch(/background task\)_\n\nPublished\.[\s\S]*You said: .*hello$/);
});

test('a yes to a question that the chat was sent gets what follows, marked', async () => {
  await say('leave it running');
  comesBack('a1');
  bridge.agent.report(key, {
    type: 'permission.ask',
    code: 'abcde',
    tool: 'Bash',
    input: { command: 'npm publish' },
    expires_at: Date.now() + 60_000,
  });
  bridge.dispatcher.dispatch(key, { type: 'permission.tell', code: 'abcde', what: 'question' });
  const rest = say('yes abcde');
  await until('the answer', () => bridge.agent.permissions.length > 0);
  bridge.agent.endTurn(key, 'a1', 'Published.');
  expect(await rest).toBe('_(about a background task)_\n\nPublished.');
  expect(await say('again')).toMatch(/^You said: .*again$/);
});

test('a turn that did not get to its end says so once', async () => {
  await say('leave it running');
  comesBack('a1');
  bridge.agent.report(key, { type: 'turn.failed', prompt: 'p-a1', code: 'rate_limited', detail: 'x' });
  expect(await say('hello')).toMatch(/^⚠️ Claude went on by itself .*`rate_limited`.*\n\nYou said: .*hello$/);
  expect(await say('again')).toMatch(/^You said: .*again$/);
});
