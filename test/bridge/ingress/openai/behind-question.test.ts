// What whoever writes on reads while Claude waits for an answer, from the request to the response.
import { expect, test } from 'vitest';
import { emptySession } from '../../../../src/domain/state/session.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';
import { until } from '../../../support/until.ts';

const key = 's1';
const code = 'abcde';

const send = (bridge: SmallBridge, content: string, stream = false) =>
  bridge.post(
    { model: 'claude', stream, messages: [{ role: 'user', content }] },
    { headers: { 'x-synthesis-session': key } },
  );
const ask = async (bridge: SmallBridge, content: string): Promise<string> => {
  const body = (await (await send(bridge, content)).json()) as {
    choices: { message: { content: string } }[];
  };
  return body.choices[0]?.message.content ?? '';
};

/** A bridge whose Claude asks before it answers `first`, and answers everything else with its text. */
async function asking(): Promise<SmallBridge> {
  const bridge = await SmallBridge.start();
  const { agent } = bridge;
  agent.onPrompt = ({ turn, text }) => {
    agent.take(key, turn);
    const expires_at = Date.now() + 60_000;
    if (text === 'first')
      agent.report(key, { type: 'permission.ask', code, tool: 'Bash', input: { command: 'ls' }, expires_at });
    else {
      agent.say(key, turn, `You said: ${text}`);
      agent.endTurn(key, turn);
    }
  };
  agent.answerPermission = (_key, answer) => {
    agent.permissions.push(answer);
    const { id = '' } = turns(bridge)[0] ?? {};
    agent.say(key, id, 'it went on');
    agent.endTurn(key, id);
  };
  return bridge;
}
const turns = ({ dispatcher }: SmallBridge) => (dispatcher.session(key) ?? emptySession(key)).turns;

test('a message behind a question is told once what it waits for, and is answered after that', async () => {
  await using bridge = await asking();
  expect(await ask(bridge, 'first')).toContain('Approve? Reply `yes abcde` or `no abcde`.');
  expect(await ask(bridge, 'something else')).toBe(
    'Claude waits for an answer to `abcde` (Bash); your message is next in line. `show abcde` shows what it asks.',
  );
  expect(await ask(bridge, 'show abcde')).toContain('Approve? Reply `yes abcde`');
  const rest = await ask(bridge, 'yes abcde');
  expect(rest).toContain('it went on');
  expect(rest).toContain('You said: something else');
});

test('while a card asks alone, the message is told at once, in a response that stays open', async () => {
  await using bridge = await asking();
  bridge.isAskedElsewhere = async () => true;
  const first = send(bridge, 'first', true);
  await until('the question', () => bridge.dispatcher.session(key)?.asks.length === 1);
  const { body } = await send(bridge, 'something else', true);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = '';
  while (!told.includes('next in line')) told += (await reader?.read())?.value ?? '';
  expect(told).toContain('_(Claude waits for an answer to `abcde` (Bash); your message is next in line.');
  await reader?.cancel();
  bridge.dispatcher.dispatch(key, { type: 'permission.decide', code, verdict: 'deny', by: 'gateway' });
  await (await first).text();
});

test('one word without the code never reaches Claude', async () => {
  await using bridge = await asking();
  await ask(bridge, 'first');
  expect(await ask(bridge, 'yes')).toContain('reply `yes abcde`');
  expect(await ask(bridge, 'no')).toContain('it went on');
  expect(bridge.agent.permissions).toMatchObject([{ code, verdict: 'deny' }]);
  expect(turns(bridge).map(({ text }) => text)).toEqual(['first']);
});

test.each(['yes abcde', 'ｙｅｓ ａｂｃｄｅ'])(
  'what a client puts in front of %j is not part of it',
  async (text) => {
    await using bridge = await asking();
    await ask(bridge, 'first');
    expect(await ask(bridge, `[Working directory: ~/a [b]]\n\n${text}`)).toContain('it went on');
    expect(bridge.agent.permissions).toMatchObject([{ code, verdict: 'allow' }]);
    // A message keeps it: Claude may want to know.
    expect(await ask(bridge, '[Working directory: ~]\n\nlist it')).toContain('[Working directory: ~]');
  },
);

test('a word that was a message before its turn asked anything stays that message when it is sent again', async () => {
  await using bridge = await asking();
  const { agent } = bridge;
  agent.onPrompt = ({ turn }) => {
    agent.take(key, turn);
    const expires_at = Date.now() + 60_000;
    agent.report(key, { type: 'permission.ask', code, tool: 'Bash', input: { command: 'ls' }, expires_at });
  };
  expect(await ask(bridge, 'no')).toContain('Approve?');
  expect(await ask(bridge, 'no')).toContain('Approve?');
  expect(bridge.agent.permissions).toEqual([]);
});
