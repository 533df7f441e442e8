// What a chat message does that comes while Claude works, from the request to the words that its sender reads.
import { expect, test } from 'vitest';
import { currentTurn, emptySession, type Session } from '../../../../src/domain/state/session.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';
import { until } from '../../../support/until.ts';
import { groupBody, STAMP, senderBlock } from './request.ts';

const ask = async (bridge: SmallBridge, content: string, more: Record<string, string> = {}) => {
  const headers = { 'x-synthesis-session': 's1', ...more };
  const response = await bridge.post({ model: 'claude', messages: [{ role: 'user', content }] }, { headers });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
};

/** A bridge whose Claude works on `first` until the test lets it say `done`. */
async function working(): Promise<{ bridge: SmallBridge; first: Promise<string>; session: () => Session }> {
  const bridge = await SmallBridge.start();
  bridge.agent.onPrompt = ({ turn, text }, { key }) => {
    bridge.agent.take(key, turn);
    if (text === 'first') return;
    bridge.agent.say(key, turn, `You said: ${text}`);
    bridge.agent.endTurn(key, turn);
  };
  const session = () => bridge.dispatcher.session('s1') ?? emptySession('s1');
  const first = ask(bridge, 'first');
  await until('the first message', () => currentTurn(session())?.phase.name === 'running');
  return { bridge, first, session };
}

const waits = (session: () => Session, count: number) =>
  until('the message in line', () => session().turns.length === count);
const end = ({ agent }: SmallBridge, session: () => Session) => {
  const { id = '' } = currentTurn(session()) ?? {};
  agent.say('s1', id, 'done');
  agent.endTurn('s1', id, 'done');
};

test.each([
  ['the configuration', 'steer', 'go left', 'go left'],
  ['its first word', 'queue', '+steer go left', 'go left'],
] as const)(
  'a message is put into the running turn because of %s, and its sender is told',
  async (_, mode, said, text) => {
    const { bridge, first, session } = await working();
    await using _bridge = bridge;
    bridge.queueMode = mode;
    const second = ask(bridge, said);
    await waits(session, 2);
    const turn = session().turns.at(-1);
    expect(turn).toMatchObject({ text, steer: true });
    bridge.agent.report('s1', { type: 'prompt.joining', turn: turn?.id ?? '' });
    bridge.agent.report('s1', { type: 'prompt.joined', turn: turn?.id ?? '' });
    expect(await second).toContain('while it was at work');
    end(bridge, session);
    expect(await first).toBe('done');
    expect(bridge.agent.prompts).toHaveLength(1);
  },
);

test('a message interrupts because of its first word, and the interrupted one is told why', async () => {
  const { bridge, first, session } = await working();
  await using _bridge = bridge;
  const second = ask(bridge, '+interrupt go right');
  await until('the interrupt', () => bridge.agent.interrupted.length === 1);
  bridge.agent.report('s1', { type: 'turn.idle', interrupted: true });
  expect(await first).toContain('stopped for a newer message');
  expect(await second).toBe('You said: go right');
  expect(bridge.agent.interrupted).toEqual(['s1']);
  expect(session().turns.map(({ text }) => text)).toEqual(['first', 'go right']);
});

test('whoever interrupts a question is not asked it again, and reads what became of it', async () => {
  const { bridge, first, session } = await working();
  await using _bridge = bridge;
  const call = { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: { command: 'ls' } } as const;
  bridge.agent.report('s1', { ...call, expires_at: Date.now() + 60_000 });
  expect(await first).toContain('`yes abcde`');
  const second = ask(bridge, '+interrupt go right');
  await until('the interrupt', () => bridge.agent.interrupted.length === 1);
  bridge.agent.report('s1', { type: 'turn.idle', interrupted: true });
  expect(await second).toBe(
    '_(your earlier message "first" was stopped; Claude keeps what it did until then)_\n\nYou said: go right',
  );
  expect(session().asks.map(({ state }) => state.name)).toEqual(['settled']);
});

test('a message waits although the configuration says otherwise, because its first word says so', async () => {
  const { bridge, first, session } = await working();
  await using _bridge = bridge;
  bridge.queueMode = 'interrupt';
  const second = ask(bridge, '+queue later');
  await waits(session, 2);
  end(bridge, session);
  expect([await first, await second]).toEqual(['done', 'You said: later']);
  expect(bridge.agent.interrupted).toEqual([]);
});

test('a message that is sent again is still the same message, prefix and all', async () => {
  const { bridge, first, session } = await working();
  await using _bridge = bridge;
  const again = { 'idempotency-key': 'one' };
  const [second, third] = [ask(bridge, '+steer go left', again), ask(bridge, '+steer go left', again)];
  await waits(session, 2);
  end(bridge, session);
  await first;
  expect(await second).toBe(await third);
  expect(bridge.agent.prompts.map(({ prompt }) => prompt.text)).toEqual(['first', 'go left']);
});

const key = 'agent:main:telegram:group:-100555';
const group = (sender: string, text: string) =>
  groupBody({ role: 'user', content: `${STAMP}${senderBlock({ id: sender })}${text}` });

test.each([
  ['a stranger in the group', [], '502', '+interrupt stop', '+interrupt stop', 'only who may answer'],
  ['an approver', ['501'], '501', '+interrupt stop', 'stop', ''],
  [
    'somebody else, where there are approvers',
    ['501'],
    '502',
    '+interrupt stop',
    '+interrupt stop',
    'only who may',
  ],
  ['an approver who quotes it', ['501'], '501', '> +interrupt stop', '> +interrupt stop', ''],
])('the first word of %s', async (_, approvers, sender, said, text, words) => {
  await using bridge = await SmallBridge.start();
  bridge.approvers = approvers;
  bridge.agent.onPrompt = ({ turn }, session) => bridge.agent.take(session.key, turn);
  const leave = new AbortController();
  const send = (body: object) => bridge.post(body, { signal: leave.signal });
  await send(group('501', 'work'));
  const session = () => bridge.dispatcher.session(key);
  await until('the first message', () => session()?.turns.at(0)?.phase.name === 'running');
  const response = await send(group(sender, said));
  await until('the second message', () => session()?.turns.length === 2);
  const stopped = text === 'stop';
  expect(session()?.turns.at(1)?.text).toBe(text);
  expect(session()?.turns.at(0)?.cancelledBy).toBe(stopped ? 'a newer message' : undefined);
  let told = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (words !== '' && !told.includes(words)) told += (await reader?.read())?.value ?? '';
  expect(told).toContain(words);
  leave.abort();
});
