// What reaches a chat while no response is open, against a strict gateway of our own.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HubBridge, main, textOf } from '../../../support/hub-bridge.ts';
import { OpenClawGateway } from '../../../support/openclaw-gateway.ts';
import { until } from '../../../support/until.ts';

const code = 'abcde';
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

/** A turn whose response ended with a question, which the operator then answered. */
async function allowedElsewhere(): Promise<string> {
  const turn = await bridge.message();
  bridge.bridge.agent.say(main, turn, 'Before. ');
  bridge.ask(code);
  const response = bridge.read(turn, 'first');
  await until('the question in words', () => response.end === 'question');
  await until('that it was told', () => bridge.session().asks[0]?.told === 'question');
  bridge.decide(code, 'allow');
  bridge.bridge.agent.report(main, { type: 'permission.ran', code });
  return turn;
}

/** Lets the client's time go on, in steps that let sockets work. */
async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds; step += 1) {
    bridge.clock.advance(1_000);
    await setImmediate();
  }
}

test('the rest of an answer that no request will fetch is sent once, with how the question was answered', async () => {
  const turn = await allowedElsewhere();
  bridge.finish(turn, 'All tests pass.');
  await pass(4);
  const { message, to, params } = await gateway.told('All tests pass.');
  expect(message).toBe('_`abcde` (Bash) was allowed by the operator._\n\nAll tests pass.');
  expect(to).toBe('4242');
  expect(params).toMatchObject({ sessionKey: main, agentId: 'main', accountId: 'default' });
  await until('the journal', () => bridge.turn(turn).answered);
  await pass(200);
  const next = await bridge.message();
  bridge.finish(next, 'Next.');
  const response = bridge.read(next);
  await until('the end', () => response.end === 'settled');
  expect(textOf(response)).toBe('Next.');
  expect(response.items.map(({ kind }) => kind)).toEqual(['text', 'settled', 'end']);
  expect(gateway.sent).toHaveLength(1);
});

test('what the gateway cannot deliver is kept for the next request', async () => {
  gateway.sending = 'refuse';
  const turn = await allowedElsewhere();
  bridge.finish(turn, 'All tests pass.');
  await pass(10);
  expect(bridge.turn(turn).answered).toBe(false);
  const next = await bridge.message();
  bridge.finish(next, 'Next.');
  const response = bridge.read(next);
  await until('the end', () => response.end === 'settled');
  expect(textOf(response).trim()).toBe('All tests pass.Next.');
  expect(gateway.sent).toEqual([]);
});

test('what was to be sent while the gateway was away is sent after its return', async () => {
  const turn = await allowedElsewhere();
  gateway.cut();
  await until('the loss', () => bridge.hub.status?.state === 'reconnecting');
  bridge.finish(turn, 'All tests pass.');
  await bridge.later('the message', () => gateway.sent.length > 0);
  expect(gateway.sent[0]?.message).toContain('All tests pass.');
});

test('a message whose receipt got lost is sent again under the same key, so that the chat has it once', async () => {
  gateway.sending = 'swallow answer';
  const turn = await allowedElsewhere();
  bridge.finish(turn, 'All tests pass.');
  await bridge.later('the message', () => gateway.sent.length > 0);
  gateway.sending = 'arrive';
  gateway.cut();
  await bridge.later('the receipt', () => bridge.turn(turn).answered);
  expect(gateway.sent).toHaveLength(1);
});

test('a request that comes while a message is being sent waits, and does not say it twice', async () => {
  gateway.mute.add('send');
  const turn = await allowedElsewhere();
  bridge.finish(turn, 'All tests pass.');
  await pass(4);
  const next = await bridge.message();
  bridge.finish(next, 'Next.');
  const response = bridge.read(next);
  await setImmediate();
  expect(response.items).toEqual([]);
  gateway.mute.clear();
  gateway.cut();
  // This attempt failed, so the request takes it along; the return of the gateway changes nothing.
  await until('the end', () => response.end === 'settled');
  expect(textOf(response).trim()).toBe('All tests pass.Next.');
  await bridge.later('the return', () => bridge.hub.status?.state === 'connected');
  await pass(200);
  expect(gateway.sent).toEqual([]);
});

test('what a response hands out now is not sent', async () => {
  const turn = await allowedElsewhere();
  const response = bridge.read(turn, 'second');
  bridge.finish(turn, 'All tests pass.');
  await until('the end', () => response.end === 'settled');
  await pass(200);
  expect(gateway.sent).toEqual([]);
});

test('after a broken connection OpenClaw gets two minutes to ask again; then the answer is sent', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  await until('the response to read', () => bridge.bridge.readers.isRead(turn));
  response.close();
  await until('its end', () => !bridge.bridge.readers.isRead(turn));
  bridge.finish(turn, 'A late answer.');
  await pass(110);
  expect(gateway.sent).toEqual([]);
  await pass(11);
  const { message } = await gateway.told('A late answer.');
  expect(message).toBe(`_(answer to your earlier message "message ${turn}")_\n\nA late answer.`);
});

test('nobody is sent the answer of a turn that was stopped, or that a schedule started', async () => {
  const stopped = await bridge.message();
  bridge.bridge.dispatcher.dispatch(main, { type: 'turn.cancel', turn: stopped, by: 'the client hung up' });
  bridge.finish(stopped, 'half an answer');
  const meta = { source_channel: 'telegram', source_chat: '4242', unattended: 'scheduled run' };
  const scheduled = await bridge.message({ meta });
  bridge.finish(scheduled, 'a report');
  await pass(200);
  expect(gateway.sent).toEqual([]);
});

test('a session without a chat is sent nothing', async () => {
  const turn = await bridge.message({ meta: { source_channel: 'webchat' } });
  bridge.ask(code);
  bridge.decide(code, 'allow');
  bridge.finish(turn, 'seen in the browser');
  await pass(200);
  expect(gateway.sent).toEqual([]);
});

test('a question that no response shows is asked in the chat, once', async () => {
  const turn = await allowedElsewhere();
  bridge.ask('bcdef', 'npm publish');
  await bridge.later('the question', () => gateway.sent.length > 0);
  const { message } = await gateway.told('npm publish');
  expect(message).toContain('Reply `yes bcdef` or `no bcdef`');
  await until('the journal', () => bridge.session().asks[1]?.told === 'question');
  await pass(60);
  expect(gateway.sent).toHaveLength(1);
  expect(bridge.decide('bcdef', 'deny', 'chat')).toBe(true);
  expect(bridge.turn(turn).phase.name).toBe('running');
});

test('a group in which nobody may answer is told who can', async () => {
  const key = 'agent:main:telegram:group:-100777';
  const meta = { source_channel: 'telegram', source_chat: '-100777', source_thread: '7', chat_type: 'group' };
  await bridge.message({ key, meta });
  bridge.ask(code, 'npm test', { key });
  await bridge.later('the question', () => gateway.sent.length > 0);
  const { message, to, params } = await gateway.told('npm test');
  expect(message).toContain('synthesis approve abcde');
  expect(to).toBe('-100777');
  expect(params.threadId).toBe('7');
});

test('a bridge that starts sends what the one before it could not', async () => {
  const turn = await allowedElsewhere();
  const { journal } = bridge.bridge;
  await bridge[Symbol.asyncDispose]();
  bridge = new HubBridge({ gateway, journal });
  bridge.bridge.dispatcher.dispatch(main, { type: 'session.recover' });
  bridge.hub.start();
  await bridge.connected();
  await pass(4);
  const { message } = await gateway.told('restarted');
  expect(message).toContain('allowed by the operator');
  await until('the journal', () => bridge.turn(turn).answered);
});

test('a question that a bridge was killed with is asked by the next one, if OpenClaw does not repeat its request', async () => {
  const turn = await bridge.message();
  bridge.ask(code);
  const { journal } = bridge.bridge;
  await bridge[Symbol.asyncDispose]();
  bridge = await HubBridge.start(gateway, { journal });
  await pass(100);
  expect(gateway.sent).toEqual([]);
  await pass(30);
  expect((await gateway.told('npm test')).message).toContain('Reply `yes abcde` or `no abcde`');
  await until('the journal', () => bridge.session().asks[0]?.told === 'question');
  gateway.cut();
  await bridge.later('the return', () => gateway.connections === 3);
  await pass(200);
  expect(gateway.sent).toHaveLength(1);
  expect(bridge.turn(turn).phase.name).toBe('running');
});
