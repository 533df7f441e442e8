// Claude's tool calls that no response carries, against a strict gateway of our own.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { succeeded } from '../../../../src/domain/tools/tool-envelope.ts';
import { Envelope } from '../../../../src/protocol/envelope.ts';
import { HubBridge, main } from '../../../support/hub-bridge.ts';
import { OpenClawGateway } from '../../../support/openclaw-gateway.ts';
import { letThrough } from '../../../support/rulings.ts';
import { until } from '../../../support/until.ts';

const lent = ['tool_call', 'session_status'].map((name) => ({ name, description: name, parameters: {} }));
const group = 'agent:main:telegram:group:-100777';
const inGroup = { source_channel: 'telegram', source_chat: '-100777', chat_type: 'group' };

let gateway: OpenClawGateway;
let bridge: HubBridge;

beforeEach(async () => {
  gateway = await OpenClawGateway.start();
  gateway.routes = false;
  bridge = await HubBridge.start(gateway);
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  expect(gateway.faults).toEqual([]);
});

let calls = 0;
function call(tool: string, args: Record<string, unknown>, key = main, from = bridge): string {
  calls += 1;
  from.bridge.agent.report(key, { type: 'tool.call', call: `c${calls}`, tool, args, ruling: letThrough });
  return `c${calls}`;
}

const answered = (id: string, from = bridge) =>
  until(`the answer of ${id}`, () => from.bridge.agent.toolAnswers.find(({ call: of }) => of === id));

/** The envelope in which a failure came. */
async function failure(id: string, from = bridge) {
  const { ok, content, envelope: marked } = await answered(id, from);
  expect([ok, marked]).toEqual([false, true]);
  const { error, ...envelope } = Envelope.parse(JSON.parse(content));
  expect(envelope.data).toBeNull();
  if (!error) throw new Error('a failure without an error');
  return { ...envelope, error };
}

async function operatorAsks(key = main): Promise<void> {
  const turn = `o${++calls}`;
  bridge.bridge.dispatcher.dispatch(key, {
    type: 'turn.submit',
    turn,
    claude: 'claude-1',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'operator',
    text: 'by hand',
  });
  await until('the turn', () => bridge.turn(turn, key).phase.name === 'running');
}

const lend = (key = main) => bridge.bridge.dispatcher.dispatch(key, { type: 'catalog.set', tools: lent });

async function finished(text = 'done', key?: string, meta?: Record<string, string>, sender?: string) {
  const turn = await bridge.message({
    ...(key && { key }),
    ...(meta && { meta }),
    ...(sender && { sender }),
  });
  bridge.finish(turn, text, key);
  return turn;
}

test('a reply reaches the chat of the turn at once, and is no tool call of the open response', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  const id = call('reply', { text: 'half way there' });
  const { ok, content, envelope } = await answered(id);
  expect([ok, envelope, Envelope.parse(JSON.parse(content))]).toEqual([true, true, succeeded('sent')]);
  expect(gateway.sent).toMatchObject([{ channel: 'telegram', to: '4242', message: 'half way there' }]);
  expect(gateway.sent[0]?.params.idempotencyKey).toBe(`synthesis-${id}`);
  bridge.finish(turn, 'Done.');
  await until('the end', () => response.end === 'settled');
  expect(response.items.map(({ kind }) => kind)).not.toContain('tool_calls');
});

test('a reply after the turn reaches the chat of the conversation', async () => {
  await finished();
  const id = call('reply', { text: 'news' });
  expect(await answered(id)).toMatchObject({ ok: true });
  expect(gateway.sent).toMatchObject([{ to: '4242', message: 'news' }]);
});

test('a hub that lends a reply of its own gets it', async () => {
  const turn = await bridge.message();
  bridge.bridge.dispatcher.dispatch(main, {
    type: 'catalog.set',
    tools: [{ name: 'reply', description: 'its own', parameters: {} }],
  });
  const response = bridge.read(turn);
  call('reply', { text: 'x' });
  await until('the call', () => response.end === 'tool_calls');
  expect(gateway.sent).toEqual([]);
});

test('without a gateway a reply says where to put the words, at once', async () => {
  await using alone = new HubBridge({});
  const turn = await alone.message();
  const response = alone.read(turn);
  expect(await failure(call('reply', { text: 'x' }, main, alone), alone)).toMatchObject({
    status: 'unavailable',
    error: { code: 'NO_ROUTE', recoverable: false, suggestion: expect.stringContaining('your answer') },
  });
  alone.finish(turn, 'x');
  await until('the end', () => response.end === 'settled');
});

test('in a conversation without a chat a reply says so', async () => {
  const turn = await bridge.message({ key: 'a plain client', meta: {} });
  const failed = await failure(call('reply', { text: 'x' }, 'a plain client'));
  expect(failed.error.code).toBe('NO_CHAT');
  expect(bridge.turn(turn, 'a plain client').phase.name).toBe('running');
});

test('while the gateway is away a reply was not sent, and may be tried again', async () => {
  await bridge.message();
  await gateway.stop();
  await until('the loss', () => bridge.hub.status?.state === 'reconnecting');
  expect(await failure(call('reply', { text: 'x' }))).toMatchObject({
    error: {
      code: 'GATEWAY_UNREACHABLE',
      recoverable: true,
      suggestion: expect.stringContaining('Nothing was'),
    },
  });
});

test('a reply whose receipt got lost may have arrived, and Claude is told to check', async () => {
  gateway.sending = 'swallow answer';
  await bridge.message();
  const id = call('reply', { text: 'x' });
  await until('the message', () => gateway.sent.length === 1);
  bridge.clock.advance(250);
  gateway.cut();
  expect(await failure(id)).toMatchObject({
    error: { code: 'NO_ANSWER', recoverable: false, suggestion: expect.stringContaining('check') },
    meta: { query_time_ms: 250 },
  });
});

test('files of the working folder are sent along; what lies outside is not, and then nothing is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reply-'));
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'report.txt'), 'all is well');
  writeFileSync(join(folder, 'secret.txt'), 'nobody may see this');
  symlinkSync(join(folder, 'secret.txt'), join(work, 'innocent.txt'));
  bridge.bridge.dispatcher.dispatch(main, {
    type: 'turn.submit',
    turn: 'files',
    claude: 'claude-1',
    launch: { cwd: work, permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'send it',
    sender: { id: '4242' },
    meta: { source_channel: 'telegram', source_chat: '4242' },
  });
  await until('the turn', () => bridge.turn('files').phase.name === 'running');
  const id = call('reply', { text: 'here', files: [join(work, 'report.txt')] });
  expect(await answered(id)).toMatchObject({ ok: true });
  expect(gateway.sent.map(({ message }) => message)).toEqual(['here', '']);
  expect(gateway.sent[1]?.params).toMatchObject({
    filename: 'report.txt',
    buffer: Buffer.from('all is well').toString('base64'),
  });
  for (const path of [
    join(folder, 'secret.txt'),
    join(work, 'innocent.txt'),
    '../secret.txt',
    work,
    'no.txt',
  ]) {
    const failed = await failure(call('reply', { text: 'this, too', files: ['report.txt', path] }));
    expect(failed.error.code).toBe('FILE_REFUSED');
  }
  expect(gateway.sent).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

test('a tool that Claude calls for the operator runs in OpenClaw, for the session', async () => {
  await finished();
  lend();
  await operatorAsks();
  const id = call('tool_call', { id: 'session_status', args: { verbose: true } });
  expect(await answered(id)).toMatchObject({ ok: true, content: 'done' });
  expect(gateway.invocations).toMatchObject([
    {
      body: {
        tool: 'session_status',
        args: { verbose: true },
        sessionKey: main,
        agentId: 'main',
        idempotencyKey: id,
      },
      headers: { 'x-openclaw-message-channel': 'telegram', 'x-openclaw-message-to': '4242' },
    },
  ]);
});

test.each([
  [
    400,
    { ok: false, error: { type: 'tool_error', message: 'args.id is missing' } },
    'INVALID_ARGUMENTS',
    'args.id',
  ],
  [
    403,
    { ok: false, error: { type: 'blocked', message: 'not in this chat' } },
    'BLOCKED',
    'not in this chat',
  ],
  [
    404,
    { ok: false, error: { type: 'not_found', message: 'Tool not available: exec' } },
    'TOOL_NOT_AVAILABLE',
    'exec',
  ],
  [429, { error: { message: 'slow down' } }, 'BUSY', 'HTTP 429'],
  [500, { ok: false, error: { message: 'tool execution failed' } }, 'TOOL_FAILED', 'execution failed'],
  [200, '<html>', 'TOOL_FAILED', 'HTTP 200'],
])('an HTTP %i of /tools/invoke reaches Claude in the envelope', async (status, body, errorCode, words) => {
  await finished();
  lend();
  await operatorAsks();
  gateway.onInvoke = () => ({ status, body });
  const { error, meta } = await failure(call('session_status', {}));
  expect(error.code).toBe(errorCode);
  expect(error.message).toContain(words);
  expect(meta).toEqual({ query_time_ms: 0, chunks_scanned: null, index_version: null, vault_mtime: null });
});

test('a token that the gateway does not take, and a gateway that is gone, are said without the token', async () => {
  await finished();
  lend();
  await operatorAsks();
  const { token } = gateway;
  gateway.token = 'another';
  await using stale = await (async () => {
    gateway.token = token;
    const one = await HubBridge.start(gateway, { token: () => token });
    gateway.token = 'another';
    return one;
  })();
  await stale.message();
  stale.bridge.dispatcher.dispatch(main, { type: 'catalog.set', tools: lent });
  stale.finish('t1', 'x');
  await until('the end', () => stale.turn('t1').phase.name === 'settled');
  const refused = await failure(call('session_status', {}, main, stale), stale);
  expect(refused.error.code).toBe('GATEWAY_REFUSED');
  expect(JSON.stringify(refused)).not.toContain(token);
  await gateway.stop();
  expect((await failure(call('session_status', {}))).error.code).toBe('GATEWAY_UNREACHABLE');
});

test('a call of a turn waits for a response; after a question that was answered elsewhere it is run out of turn', async () => {
  lend();
  const turn = await bridge.message();
  bridge.ask('abcde');
  const response = bridge.read(turn);
  await until('the question', () => response.end === 'question');
  await until('that it was told', () => bridge.session().asks[0]?.told === 'question');
  bridge.decide('abcde', 'allow');
  const id = call('session_status', {});
  await setImmediate();
  expect(gateway.invocations).toEqual([]);
  await bridge.later('the call', () => gateway.invocations.length === 1);
  expect(await answered(id)).toMatchObject({ ok: true });
  const second = bridge.read(turn, 'second');
  call('session_status', {});
  await until('the hand-out', () => second.end === 'tool_calls');
  for (let step = 0; step < 200; step += 1) {
    bridge.clock.advance(1_000);
    await setImmediate();
  }
  expect(gateway.invocations).toHaveLength(1);
});

test('out of turn nothing is run for people who may not answer questions: it would run with the owner’s rights', async () => {
  await finished('x', group, inGroup, '9001');
  lend(group);
  expect(await failure(call('tool_call', { id: 'gateway', args: {} }, group))).toMatchObject({
    error: { code: 'NOT_PERMITTED' },
  });
  bridge.approvers = ['telegram:4242'];
  expect((await failure(call('session_status', {}, group))).error.code).toBe('NOT_PERMITTED');
  bridge.approvers = ['9001'];
  expect(await answered(call('session_status', {}, group))).toMatchObject({ ok: true });
  await finished('y', group, inGroup, '7');
  expect((await failure(call('session_status', {}, group))).error.code).toBe('NOT_PERMITTED');
  expect(gateway.invocations).toHaveLength(1);
});

test('a call of a group’s turn is left for its next request', async () => {
  const turn = await bridge.message({ key: group, meta: inGroup, sender: '9001' });
  lend(group);
  const id = call('session_status', {}, group);
  for (let step = 0; step < 200; step += 1) {
    bridge.clock.advance(1_000);
    await setImmediate();
  }
  const response = bridge.read(turn, 'next', group);
  await until('the hand-out', () => response.end === 'tool_calls');
  expect(gateway.invocations).toEqual([]);
  expect(bridge.bridge.agent.toolAnswers.map(({ call: of }) => of)).not.toContain(id);
});

test.each([
  ['no response had carried is run out of turn', false],
  ['OpenClaw works on is left to it', true],
])('a call over which a bridge was killed, and that %s', async (_, handed) => {
  const turn = await bridge.message();
  lend();
  const id = call('session_status', {});
  if (handed) {
    const response = bridge.read(turn);
    await until('the hand-out', () => response.end === 'tool_calls');
    await until('the journal', () => bridge.session().calls[0]?.handed === true);
  }
  const { journal } = bridge.bridge;
  await bridge[Symbol.asyncDispose]();
  bridge = await HubBridge.start(gateway, { journal });
  for (let step = 0; step < 100; step += 1) bridge.clock.advance(1_000);
  expect(gateway.invocations).toEqual([]);
  for (let step = 0; step < 30; step += 1) bridge.clock.advance(1_000);
  if (handed) expect(bridge.session().calls).toMatchObject([{ call: id }]);
  else expect(await answered(id)).toMatchObject({ ok: true, content: 'done' });
  expect(gateway.invocations).toHaveLength(handed ? 0 : 1);
});

test('a tool that is lent no more is refused, not run', async () => {
  await finished();
  await operatorAsks();
  expect((await failure(call('browser', {}))).error.code).toBe('NOT_OFFERED');
  expect(gateway.invocations).toEqual([]);
});

test('a call of a provider’s tool is none of OpenClaw’s, whatever its name', async () => {
  await finished();
  lend();
  await operatorAsks();
  for (const tool of ['reply', 'session_status'])
    bridge.bridge.agent.report(main, {
      type: 'tool.call',
      call: `notes ${tool}`,
      tool,
      args: { text: 'x' },
      provider: 'notes',
      ruling: letThrough,
    });
  expect(await answered(call('session_status', {}))).toMatchObject({ ok: true });
  expect([gateway.invocations.length, gateway.sent, bridge.bridge.agent.toolAnswers.length]).toEqual([
    1,
    [],
    1,
  ]);
});
