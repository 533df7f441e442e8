import { afterEach, beforeEach, expect, test } from 'vitest';
import { SmallBridge } from '../../../support/small-bridge.ts';
import { until } from '../../../support/until.ts';

let bridge: SmallBridge;
beforeEach(async () => {
  bridge = await SmallBridge.start();
});
afterEach(() => bridge[Symbol.asyncDispose]());

const warm = async (headers: Record<string, string>) => {
  const response = await bridge.post('', { path: 'warm', headers });
  return { status: response.status, body: await response.json() };
};

const wanted = () =>
  [...bridge.journal.read(0)].flatMap(({ session, event }) =>
    event.type === 'agent.wanted' ? [[session, event.by]] : [],
  );

test('a conversation is named as in any other request, and its message comes to the same Claude', async () => {
  expect(await warm({ 'x-openclaw-session-key': 'agent%3Amain%3Amain' })).toEqual({
    status: 202,
    body: { session: 'agent:main:main', started: true },
  });
  expect(await warm({ 'x-synthesis-session': 'mine' })).toMatchObject({ body: { started: true } });
  expect(wanted()).toEqual([
    ['agent:main:main', 'a message that OpenClaw has received'],
    ['mine', 'a message that a client is about to send'],
  ]);
  await until('its start', () => bridge.dispatcher.session('mine')?.agent.name === 'ready');
  const headers = { 'x-synthesis-session': 'mine' };
  await (
    await bridge.post({ model: 'claude', messages: [{ role: 'user', content: 'hi' }] }, { headers })
  ).json();
  expect(bridge.agent.prompts).toMatchObject([{ session: { key: 'mine', claude: 'claude-2' } }]);
});

test('what is not started is said with its reason', async () => {
  await warm({ 'x-synthesis-session': 'mine' });
  const body = { session: 'mine', started: false };
  expect(await warm({ 'x-synthesis-session': 'mine' })).toEqual({
    status: 202,
    body: { ...body, why: 'running' },
  });
  bridge.hasRoom = false;
  expect((await warm({ 'x-synthesis-session': 'other' })).body).toMatchObject({ why: 'no_room' });
  bridge.hasRoom = true;
  await bridge.panic.panic({});
  expect((await warm({ 'x-synthesis-session': 'other' })).body).toMatchObject({ why: 'panic' });
});

test('without a name, with a wrong one or without the token nothing is begun', async () => {
  expect(await warm({})).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('x-synthesis-session') } },
  });
  expect(await warm({ 'x-openclaw-session-key': '%E0%A4%A' })).toMatchObject({ status: 400 });
  expect(await warm({ 'x-synthesis-session': 'a'.repeat(513) })).toMatchObject({ status: 400 });
  expect(await warm({ 'x-synthesis-session': 'mine', authorization: 'Bearer wrong' })).toMatchObject({
    status: 401,
  });
  expect(bridge.dispatcher.sessionsEver()).toEqual([]);
});
