// What Claude says without being asked, with a strict gateway of our own.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HubBridge, main, textOf } from '../../../support/hub-bridge.ts';
import { OpenClawGateway } from '../../../support/openclaw-gateway.ts';
import { until } from '../../../support/until.ts';

const code = 'abcde';
const head = '_(about a background task)_';
let gateway: OpenClawGateway;
let bridge: HubBridge;

beforeEach(async () => {
  gateway = await OpenClawGateway.start();
  // These are about words.
  gateway.routes = false;
  bridge = await HubBridge.start(gateway);
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  expect(gateway.faults).toEqual([]);
});

/** Lets the client's time go on, in steps that let sockets work. */
async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds; step += 1) {
    bridge.clock.advance(1_000);
    await setImmediate();
  }
}

/** A message whose turn leaves a task behind, and whose answer is read. */
async function started(name: string, about: Parameters<HubBridge['message']>[0] = {}): Promise<void> {
  const turn = await bridge.message(about);
  bridge.leave(name, about.key);
  bridge.finish(turn, `Started ${name}.`, about.key);
  const response = bridge.read(turn, `r-${turn}`, about.key);
  await until('the answer to be read', () => response.end === 'settled');
}

/** @returns what the response to the next message says */
async function next(): Promise<string> {
  const turn = await bridge.message();
  bridge.finish(turn, 'Next.');
  const response = bridge.read(turn);
  await until('the end', () => response.end === 'settled');
  return textOf(response);
}

const heard = (turn: string) => until(`${turn} to be heard`, () => bridge.turn(turn).answered);

test('it is sent at once to the chat that began it, marked, once, and no request says it again', async () => {
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.finish('a1', 'The build is done.');
  await setImmediate();
  await pass(1);
  const { message, to, params } = await gateway.told('The build is done.');
  expect(message).toBe(`${head}\n\nThe build is done.`);
  expect(to).toBe('4242');
  expect(params).toMatchObject({ sessionKey: main, idempotencyKey: 'synthesis-a1-0' });
  await heard('a1');
  await pass(200);
  expect(await next()).toBe('Next.');
  expect(gateway.sent).toHaveLength(1);
});

test('each of several goes to the chat whose message began it, in their order', async () => {
  const chat = (id: string) => ({
    sender: id,
    meta: { source_channel: 'telegram', source_chat: `telegram:${id}`, source_account: 'default' },
  });
  await started('one', chat('1'));
  await started('two', chat('2'));
  await started('three', chat('3'));
  for (const [turn, name] of [
    ['a2', 'two'],
    ['a1', 'one'],
    ['b1', 'one'],
  ] as const) {
    bridge.comesBack(turn, name);
    bridge.finish(turn, `News of ${turn}.`);
    await bridge.later(turn, () => bridge.turn(turn).answered);
  }
  expect(gateway.sent.map(({ to, message }) => [to, message.slice(head.length + 2)])).toEqual([
    ['2', 'News of a2.'],
    ['1', 'News of a1.'],
    ['1', 'News of b1.'],
  ]);
});

test('another conversation never hears of it', async () => {
  const key = 'agent:main:telegram:group:-100777';
  const meta = { source_channel: 'telegram', source_chat: '-100777', chat_type: 'group' };
  await started('in private');
  const turn = await bridge.message({ key, meta });
  bridge.finish(turn, 'Hello.', key);
  bridge.comesBack('a1', 'in private', key);
  bridge.finish('a1', 'of nobody here', key);
  await pass(200);
  expect(gateway.sent.filter(({ message }) => message.includes('nobody'))).toEqual([]);
});

test.each<[string, () => Promise<void>]>([
  ['a run that nobody attends', () => scheduled()],
  ['nobody that is known', async () => bridge.comesBack('a1', 'unknown')],
  [
    'somebody who typed',
    async () =>
      bridge.bridge.agent.report(main, { type: 'prompt.foreign', turn: 'a1', prompt: 'p-a1', text: 'typed' }),
  ],
])('what goes back to %s stays out of the chat, with and without the next message', async (_, begin) => {
  await started('build');
  await begin();
  bridge.finish('a1', 'not for the chat');
  await pass(200);
  expect(await next()).toBe('Next.');
  expect(gateway.sent).toEqual([]);
});

async function scheduled(): Promise<void> {
  const meta = { source_channel: 'telegram', source_chat: 'telegram:4242', unattended: 'heartbeat' };
  await started('watch', { meta });
  bridge.comesBack('a1', 'watch');
}

test('a turn without words says nothing, and a stopped one neither', async () => {
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.bridge.agent.endTurn(main, 'a1', '');
  await bridge.later('the end', () => bridge.turn('a1').answered);
  bridge.comesBack('a2', 'build');
  bridge.bridge.agent.say(main, 'a2', 'half a word');
  bridge.bridge.dispatcher.dispatch(main, { type: 'turn.cancel', turn: 'a2', by: 'the operator' });
  bridge.bridge.agent.report(main, { type: 'turn.idle', interrupted: true });
  await pass(200);
  expect(await next()).toBe('Next.');
  expect(gateway.sent).toEqual([]);
});

test('what the gateway cannot deliver comes with the next answer', async () => {
  gateway.sending = 'refuse';
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.finish('a1', 'The build is done.');
  await pass(10);
  expect(bridge.turn('a1').answered).toBe(false);
  expect(await next()).toBe('The build is done.Next.');
  expect(gateway.sent).toEqual([]);
});

test('a bridge that dies between sending and noting it sends under the same key, so that the chat has it once', async () => {
  gateway.sending = 'swallow answer';
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.finish('a1', 'The build is done.');
  await bridge.later('the message', () => gateway.sent.length > 0);
  const { journal } = bridge.bridge;
  await bridge[Symbol.asyncDispose]();
  gateway.sending = 'arrive';
  bridge = new HubBridge({ gateway, journal });
  bridge.bridge.dispatcher.dispatch(main, { type: 'session.recover' });
  bridge.hub.start();
  await bridge.connected();
  await bridge.later('the receipt', () => bridge.turn('a1').answered);
  expect(gateway.sent).toHaveLength(1);
});

test('a message that comes while Claude still speaks reads it first, and nothing is sent', async () => {
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.bridge.agent.say(main, 'a1', 'The build ');
  bridge.bridge.dispatcher.dispatch(main, {
    type: 'turn.submit',
    turn: 'waits',
    claude: 'c',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'and?',
  });
  const response = bridge.read('waits');
  bridge.bridge.agent.say(main, 'a1', 'is done.', 'm', 1);
  bridge.bridge.agent.endTurn(main, 'a1');
  await until('the next turn', () => bridge.turn('waits').phase.name === 'running');
  bridge.finish('waits', 'Next.');
  await until('the end', () => response.end === 'settled');
  expect(textOf(response)).toBe('The build is done.Next.');
  await pass(200);
  expect(gateway.sent).toEqual([]);
});

test('what it asks reaches the chat, whoever began it answers, and the rest follows', async () => {
  await started('build');
  bridge.comesBack('a1', 'build');
  bridge.ask(code, 'npm publish');
  await bridge.later('the question', () => gateway.sent.length > 0);
  expect((await gateway.told('npm publish')).message).toContain(`yes ${code}`);
  expect(bridge.decide(code, 'allow', 'chat')).toBe(true);
  bridge.finish('a1', 'Published.');
  await bridge.later('the rest', () => gateway.sent.length > 1);
  expect((await gateway.told('Published.')).message).toContain(head);
  await heard('a1');
});

test('what it asks for a run that nobody attends is denied, as in the run itself, and asked in no chat', async () => {
  await scheduled();
  bridge.ask(code, 'npm publish');
  await pass(60);
  expect(gateway.sent).toEqual([]);
  expect(bridge.session().asks[0]?.state).toMatchObject({ verdict: 'deny', by: 'bridge' });
});

test('a tool of the hub that it calls is run out of turn, not in a response', async () => {
  const turn = await bridge.message();
  bridge.bridge.dispatcher.dispatch(main, {
    type: 'catalog.set',
    tools: [{ name: 'exec', description: 'Runs', parameters: { type: 'object' } }],
  });
  bridge.leave('build');
  bridge.finish(turn, 'Started.');
  bridge.comesBack('a1', 'build');
  bridge.bridge.agent.report(main, {
    type: 'tool.call',
    call: 'c1',
    tool: 'exec',
    args: { command: 'date' },
    ruling: { decision: 'allow', why: 'default' },
  });
  const response = bridge.read('a1');
  await until('its answer', () => bridge.bridge.agent.toolAnswers.length > 0);
  bridge.finish('a1', 'It ran.');
  await until('the end', () => response.end === 'settled');
  expect(response.items.map(({ kind }) => kind)).not.toContain('tool_calls');
  expect(gateway.invocations).toHaveLength(1);
});
