// A client has an answer to its end, and the bridge was killed before it stored that.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';

type Message = { role: 'user' | 'assistant'; content: string };

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

async function say(bridge: SmallBridge, ...messages: Message[]): Promise<string> {
  const response = await bridge.post(
    { model: 'claude', messages },
    { headers: { 'x-synthesis-session': 's' } },
  );
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
}

/** A turn that has ended, and of whose reader the journal knows nothing. Without `text` its Claude was cut off. */
async function unread(bridge: SmallBridge, asked: string, text?: string): Promise<void> {
  const turn = `t-${asked}`;
  bridge.agent.onPrompt = (_, { key }) => {
    bridge.agent.take(key, turn);
    if (text !== undefined) bridge.agent.endTurn(key, turn, text);
    else
      bridge.agent.report(key, {
        type: 'agent.exited',
        detail: 'the bridge restarted',
        failure: 'bridge_restarted',
      });
  };
  bridge.dispatcher.dispatch('s', {
    type: 'turn.submit',
    turn,
    claude: randomUUID(),
    launch: { cwd: '/', permissionMode: 'default', delivery: 'auto' },
    ingress: 'openai',
    text: asked,
  });
  await until(
    'its end',
    () => bridge.dispatcher.session('s')?.turns.find(({ id }) => id === turn)?.phase.name === 'settled',
  );
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.say(key, prompt.turn, 'the next answer');
    bridge.agent.endTurn(key, prompt.turn);
  };
}

const cutOff = 'The bridge was restarted while Claude worked';

test('an answer that the history of a client ends with is not read again', async () => {
  await using bridge = await SmallBridge.start();
  await unread(bridge, 'first', 'line one\n\nline two\n');
  // The first line went with the calls of a tool.
  const read = {
    turn: 't-first',
    request: 'r',
    start: 0,
    offset: 'line one'.length,
    why: 'tool_calls',
  } as const;
  bridge.dispatcher.dispatch('s', { type: 'reader.close', ...read });
  const history = [user('[12:01] first'), assistant('line two')];
  expect(await say(bridge, ...history, user('second'))).toBe('the next answer');
  expect(await say(bridge, user('third'))).toBe('the next answer');
});

test('nor are several that one response handed out, and the words that a turn was cut off', async () => {
  await using bridge = await SmallBridge.start();
  await unread(bridge, 'zero', 'the oldest');
  await unread(bridge, 'first');
  const shown = await say(bridge, user('what?'));
  expect(shown).toContain('the oldest');
  const held = shown.slice(0, shown.indexOf('\n\nthe next answer'));
  expect(held).toContain(cutOff);

  await using next = await SmallBridge.start();
  await unread(next, 'zero', 'the oldest');
  await unread(next, 'first');
  expect(await say(next, user('zero'), user('first'), assistant(held), user('what?'))).toBe(
    'the next answer',
  );
  // The same words for another message are news.
  await unread(next, 'second');
  const known = [user('first'), assistant(held)];
  expect(await say(next, ...known, user('third'))).toContain(cutOff);
});

test('where its message is sent again an answer is read, although equal words had the same answer before', async () => {
  await using bridge = await SmallBridge.start();
  await unread(bridge, 'continue', 'done');
  const again = [user('continue'), assistant('done'), user('continue')];
  const late = '_(answer to your earlier message "continue")_\n\ndone\n\nthe next answer';
  expect(await say(bridge, ...again)).toBe(late);
});

test('an answer that only looks as if it had gone along is read', async () => {
  await using bridge = await SmallBridge.start();
  await unread(bridge, 'zero', 'ok');
  await unread(bridge, 'first', 'all is ok here');
  const shown = await say(bridge, user('first'), assistant('all is ok here'), user('second'));
  expect(shown).toBe('_(answer to your earlier message "zero")_\n\nok\n\nthe next answer');
});

test.each([
  ['something else', [user('first'), assistant('something else')]],
  ['the same words for another message', [user('zero'), assistant('ok')]],
  ['no answer behind the message', [user('zero'), assistant('ok'), user('first')]],
  ['a response that goes on behind it', [user('first'), assistant('ok\n\nbut wait')]],
  ['a question in place of its end', [user('first'), assistant('Claude wants to run `ls`.')]],
  ['nothing', []],
])('an answer is read again by a client whose history has %s', async (_what, history) => {
  await using bridge = await SmallBridge.start();
  await unread(bridge, 'first', 'ok');
  const late = '_(answer to your earlier message "first")_\n\nok\n\nthe next answer';
  expect(await say(bridge, ...history, user('second'))).toBe(late);
});
