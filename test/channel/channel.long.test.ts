// The whole channel server in process: a real MCP client on one side, a real WebSocket on the other.
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { Settings } from '../../src/channel/settings.ts';
import type { ToolSpec } from '../../src/protocol/tool-spec.ts';
import { CHANNEL_SILENCE_MS, CloseCode, MAX_FRAME_BYTES } from '../../src/protocol/wire/wire.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { fastClock } from './support/fast-clock.ts';
import { type LinkedChannel, linkedTo, startChannel } from './support/linked-channel.ts';
import { TestBridge, type TestBridgeOptions } from './support/test-bridge.ts';

const tool = (name: string): ToolSpec => ({
  name,
  description: `Does ${name}`,
  parameters: { type: 'object', properties: { n: { type: 'number' } } },
});

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.reverse()) await thing.close();
  open = [];
});

async function bridgeWith(options: TestBridgeOptions = {}): Promise<TestBridge> {
  const bridge = await TestBridge.start(options);
  open.push({ close: () => bridge.kill() });
  return bridge;
}

async function channelOf(
  settings: Settings,
  options?: Parameters<typeof startChannel>[1],
): Promise<LinkedChannel> {
  const channel = await startChannel(settings, options);
  open.push(channel);
  return channel;
}

async function both(options: TestBridgeOptions = {}) {
  const bridge = await bridgeWith(options);
  const channel = await channelOf(linkedTo(bridge.url));
  return { bridge, channel, connection: await bridge.connection() };
}

const toolNames = async ({ client }: LinkedChannel) =>
  (await client.listTools()).tools.map(({ name }) => name);
const events = ({ received }: LinkedChannel) =>
  received.filter(({ method }) => method === 'notifications/claude/channel');

describe('the handshakes', () => {
  test('hello carries the session, the token and what is open', async () => {
    const { connection } = await both();
    expect(await connection.the('hello')).toEqual({
      type: 'hello',
      openclaw_session: 'agent:main:main',
      claude_session: 'claude-1',
      pid: process.pid,
      token: 'secret-of-the-test',
      protocol: 1,
      open_calls: [],
      seen: [],
    });
  });

  test('Claude Code is offered a channel with permission relay and tools that may change', async () => {
    const { channel } = await both();
    expect(channel.client.getServerVersion()?.name).toBe('synthesis');
    expect(channel.client.getServerCapabilities()).toEqual({
      experimental: { 'claude/channel': {}, 'claude/channel/permission': {} },
      tools: { listChanged: true },
    });
    expect(channel.client.getInstructions()?.length).toBeLessThan(2000);
  });

  test('a ping is answered with its own ts', async () => {
    const { connection } = await both();
    connection.send({ type: 'ping', ts: 4711 });
    expect(await connection.the('pong')).toEqual({ type: 'pong', ts: 4711 });
  });
});

describe('tools', () => {
  test('the catalog of the hello_ack is listed with reply, always loaded', async () => {
    const { channel } = await both({ tools: [tool('weather')] });
    const { tools } = await channel.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['reply', 'weather']);
    for (const { _meta } of tools) expect(_meta).toMatchObject({ 'anthropic/alwaysLoad': true });
    expect(tools[1]?.inputSchema).toEqual(tool('weather').parameters);
  });

  test('tools/list waits for a late hello_ack, and the bridge hears when Claude has the newest list', async () => {
    const bridge = await bridgeWith({ onHello: () => {} });
    const channel = await channelOf(linkedTo(bridge.url), { clock: fastClock(1) });
    const connection = await bridge.connection();
    const listing = toolNames(channel);
    connection.send({ type: 'hello_ack', tools: [tool('late')] });
    expect(await listing).toEqual(['reply', 'late']);
    expect(await connection.the('tools_listed')).toEqual({ type: 'tools_listed', count: 2 });
  });

  test('without a bridge tools/list answers after 2 s with reply, and list_changed follows the hello_ack', async () => {
    const bridge = await bridgeWith({ onHello: () => {} });
    const channel = await channelOf(linkedTo(bridge.url));
    const connection = await bridge.connection();
    expect(await toolNames(channel)).toEqual(['reply']);
    let changes = 0;
    channel.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    connection.send({ type: 'hello_ack', tools: [tool('late')] });
    await until('list_changed', () => changes === 1);
    expect(connection.all('tools_listed')).toEqual([]);
    expect(await toolNames(channel)).toEqual(['reply', 'late']);
    await connection.the('tools_listed');
  });

  test('tools_changed replaces the catalog and tells Claude Code once per real change', async () => {
    const { channel, connection } = await both({ tools: [tool('a')] });
    let changes = 0;
    channel.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      changes += 1;
    });
    expect(await toolNames(channel)).toEqual(['reply', 'a']);
    await connection.the('tools_listed');
    expect(changes).toBe(0);
    connection.send({ type: 'tools_changed', tools: [tool('b'), tool('c')] });
    connection.send({ type: 'tools_changed', tools: [tool('b'), tool('c')] });
    await until('list_changed', () => changes > 0);
    expect(await toolNames(channel)).toEqual(['reply', 'b', 'c']);
    expect(await connection.the('tools_listed', 2)).toEqual({ type: 'tools_listed', count: 3 });
    expect(changes).toBe(1);
  });

  test('parallel calls get their own results, whatever the order', async () => {
    const { channel, connection } = await both({ tools: [tool('add')] });
    const calls = [1, 2, 3].map((n) => channel.client.callTool({ name: 'add', arguments: { n } }));
    await connection.the('tool_call', 3);
    for (const { args, call_id, tool: name } of connection.all('tool_call').reverse()) {
      expect(name).toBe('add');
      expect(call_id).toMatch(/^[A-Za-z0-9]+$/);
      connection.send({ type: 'tool_result', call_id, ok: true, result: { twice: Number(args.n) * 2 } });
    }
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => content)).toEqual(
      [2, 4, 6].map((twice) => [{ type: 'text', text: JSON.stringify({ twice }) }]),
    );
  });

  test('a call carries the tool_use_id, a text result stays as it is, an error is marked as one', async () => {
    const { channel, connection } = await both();
    const call = (toolUseId: string) =>
      channel.client.callTool({
        name: 'reply',
        arguments: { text: 'hi' },
        _meta: { 'claudecode/toolUseId': toolUseId },
      });
    const first = call('toolu_1');
    const frame = await connection.the('tool_call');
    expect(frame).toMatchObject({ tool: 'reply', args: { text: 'hi' }, tool_use_id: 'toolu_1' });
    connection.send({ type: 'tool_result', call_id: frame.call_id, ok: true, result: 'sent\n"as is"' });
    expect(await first).toEqual({ content: [{ type: 'text', text: 'sent\n"as is"' }] });
    const second = call('toolu_2');
    const { call_id } = await connection.the('tool_call', 2);
    connection.send({
      type: 'tool_result',
      call_id,
      ok: false,
      error: 'The chat is gone. Ask the operator.',
    });
    expect(await second).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'The chat is gone. Ask the operator.' }],
    });
  });

  test('a cancelled request becomes tool_cancel, and its late result disturbs nobody', async () => {
    const { channel, connection } = await both();
    const abort = new AbortController();
    const call = channel.client.callTool({ name: 'reply', arguments: { text: 'x' } }, undefined, {
      signal: abort.signal,
    });
    const { call_id } = await connection.the('tool_call');
    abort.abort('user-cancel');
    await expect(call).rejects.toThrow();
    expect(await connection.the('tool_cancel')).toEqual({ type: 'tool_cancel', call_id });
    connection.send({ type: 'tool_result', call_id, ok: true, result: 'too late' });
    connection.send({ type: 'ping', ts: 1 });
    await connection.the('pong');
    expect(connection.closed).toBeUndefined();
  });

  test('arguments above the frame limit are refused in words and the connection lives on', async () => {
    const { channel, connection } = await both();
    const text = 'x'.repeat(MAX_FRAME_BYTES);
    const result = await channel.client.callTool({ name: 'reply', arguments: { text } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('too large');
    expect(connection.closed).toBeUndefined();
  });
});

describe('messages', () => {
  test('an inbound message becomes one channel event and is confirmed', async () => {
    const { channel, connection } = await both();
    connection.send({
      type: 'inbound_message',
      request_id: 'msg_1',
      content: 'Is the bakery open?',
      meta: { user: 'alice', 'thread-id': 7, attachments: [{ path: '/tmp/a.png' }], nothing: null },
    });
    expect(await connection.the('inbound_written')).toEqual({ type: 'inbound_written', request_id: 'msg_1' });
    await until('the event', () => events(channel).length === 1);
    expect(events(channel)[0]?.params).toEqual({
      content: 'Is the bakery open?',
      meta: { user: 'alice', thread_id: '7', attachments: '[{"path":"/tmp/a.png"}]' },
    });
  });

  test('a repeated message is confirmed again and written once, also across a reconnect', async () => {
    const { bridge, channel, connection } = await both();
    const message = { type: 'inbound_message', request_id: 'msg_1', content: 'once', meta: {} } as const;
    connection.send(message);
    await connection.the('inbound_written');
    connection.send(message);
    await connection.the('inbound_written', 2);
    connection.socket.terminate();
    const again = await bridge.connection(2);
    expect((await again.the('hello')).seen).toEqual(['msg_1']);
    again.send(message);
    await again.the('inbound_written');
    again.send({ ...message, request_id: 'msg_2', content: 'two' });
    await again.the('inbound_written', 2);
    await until('the second event', () => events(channel).length >= 2);
    expect(events(channel).map(({ params }) => params?.content)).toEqual(['once', 'two']);
  });

  test('a message that comes before the MCP handshake waits for it', async () => {
    const bridge = await bridgeWith();
    const channel = await channelOf(linkedTo(bridge.url), { connectClient: false });
    const connection = await bridge.connection();
    connection.send({ type: 'inbound_message', request_id: 'early', content: 'hi', meta: {} });
    connection.send({ type: 'ping', ts: 1 });
    await connection.the('pong');
    expect(connection.all('inbound_written')).toEqual([]);
    expect(events(channel)).toEqual([]);
  });
});

describe('permissions', () => {
  const ask = {
    method: 'notifications/claude/channel/permission_request',
    params: {
      request_id: 'abxyz',
      tool_name: 'Bash',
      description: 'List files',
      input_preview: '{"command":"ls"}',
    },
  };

  test('a question travels out, its verdict travels in, and a second verdict does not', async () => {
    const { channel, connection } = await both();
    await channel.client.notification(ask);
    expect(await connection.the('permission_request')).toEqual({
      type: 'permission_request',
      request_id: 'abxyz',
      tool: 'Bash',
      args: { command: 'ls' },
      rationale: 'List files',
    });
    connection.send({ type: 'permission_reply', request_id: 'abxyz', behavior: 'allow' });
    connection.send({ type: 'permission_reply', request_id: 'abxyz', behavior: 'deny' });
    connection.send({ type: 'ping', ts: 1 });
    await connection.the('pong');
    await until('the verdict', () => channel.received.length > 0);
    expect(channel.received).toEqual([
      expect.objectContaining({
        method: 'notifications/claude/channel/permission',
        params: { request_id: 'abxyz', behavior: 'allow' },
      }),
    ]);
  });

  test('a question that is too large for the wire does not stop the others, nor the calls after a reconnect', async () => {
    const { bridge, channel, connection } = await both();
    const description = 'x'.repeat(MAX_FRAME_BYTES);
    await channel.client.notification({
      ...ask,
      params: { ...ask.params, request_id: 'qqqqq', description },
    });
    await channel.client.notification(ask);
    expect(await connection.the('permission_request')).toMatchObject({ request_id: 'abxyz' });
    void channel.client.callTool({ name: 'reply', arguments: {} }).catch(() => {});
    await connection.the('tool_call');
    connection.socket.terminate();
    await (await bridge.connection(2)).the('tool_call');
  });

  test('an unanswered question is asked again after a reconnect, an answered one is not', async () => {
    const { bridge, channel, connection } = await both();
    await channel.client.notification(ask);
    await channel.client.notification({ ...ask, params: { ...ask.params, request_id: 'mnopq' } });
    await connection.the('permission_request', 2);
    connection.send({ type: 'permission_reply', request_id: 'abxyz', behavior: 'deny' });
    await until('the verdict', () => channel.received.length === 1);
    connection.socket.terminate();
    const again = await bridge.connection(2);
    expect(await again.the('permission_request')).toMatchObject({ request_id: 'mnopq' });
    expect(again.all('permission_request').length).toBe(1);
  });
});

describe('a lost bridge', () => {
  test('an open call survives the death of the bridge and is answered by the next one', async () => {
    const options = { tools: [tool('slow')], port: await lastingPort() };
    const { bridge, channel, connection } = await both(options);
    await until('the catalog', async () => (await toolNames(channel)).includes('slow'));
    const call = channel.client.callTool({ name: 'slow', arguments: { n: 1 } });
    const { call_id } = await connection.the('tool_call');
    await bridge.kill();
    const during = channel.client.callTool({ name: 'slow', arguments: { n: 2 } });
    const next = await bridgeWith(options);
    const again = await next.connection();
    const second = await again.the('tool_call', 2);
    expect((await again.the('hello')).open_calls).toEqual([call_id, second.call_id]);
    expect(again.all('tool_call').map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }]);
    await again.the('tools_listed');
    for (const frame of again.all('tool_call')) {
      again.send({ type: 'tool_result', call_id: frame.call_id, ok: true, result: `n=${frame.args.n}` });
    }
    expect((await call).content).toEqual([{ type: 'text', text: 'n=1' }]);
    expect((await during).content).toEqual([{ type: 'text', text: 'n=2' }]);
  });

  test('a call that was cancelled while the bridge was away is not in the next hello', async () => {
    const { bridge, channel, connection } = await both();
    const abort = new AbortController();
    const call = channel.client.callTool({ name: 'reply', arguments: {} }, undefined, {
      signal: abort.signal,
    });
    await connection.the('tool_call');
    connection.socket.terminate();
    abort.abort();
    await expect(call).rejects.toThrow();
    const again = await bridge.connection(2);
    expect((await again.the('hello')).open_calls).toEqual([]);
  });

  test('after the deadline an open call ends with words that say what happened and what to do', async () => {
    const bridge = await bridgeWith();
    const channel = await channelOf(linkedTo(bridge.url, 3000));
    const connection = await bridge.connection();
    const sent = channel.client.callTool({ name: 'reply', arguments: {} });
    await connection.the('tool_call');
    await bridge.kill();
    const words = [await sent, await channel.client.callTool({ name: 'reply', arguments: {} })].map(
      (result) => JSON.stringify(result),
    );
    for (const text of words) {
      expect(text).toContain('"isError":true');
      expect(text).toContain('synthesis up');
    }
    expect(words[0]).toContain('may have run');
    expect(words[1]).toContain('did not run');
  });

  test('a bridge that falls silent is left for a new connection', async () => {
    const bridge = await bridgeWith();
    const clock = new ManualClock();
    await channelOf(linkedTo(bridge.url), { clock });
    const first = await bridge.connection();
    first.socket.send('{"type":"ping","ts":1}');
    await first.the('pong');
    clock.advance(CHANNEL_SILENCE_MS);
    clock.advance(2_000);
    await bridge.connection(2);
    await until('the old connection to close', () => first.closed);
    expect(first.closed?.code).not.toBe(CloseCode.superseded);
  });

  test('a bad frame ends the connection with 4400 and words, and the channel comes back', async () => {
    const { bridge, connection } = await both();
    connection.socket.send('{"type":"permission_reply","request_id":"nope"}');
    expect(await connection.the('error')).toMatchObject({ code: 'bad_frame' });
    await until('the close', () => connection.closed);
    expect(connection.closed?.code).toBe(CloseCode.badFrame);
    await bridge.connection(2);
  });

  test('a frame above 1 MiB ends the connection with 1009', async () => {
    const { bridge, connection } = await both();
    connection.socket.send(`{"type":"ping","ts":1,"x":"${'x'.repeat(MAX_FRAME_BYTES)}"}`);
    await until('the close', () => connection.closed);
    expect(connection.closed?.code).toBe(CloseCode.tooLarge);
    await bridge.connection(2);
  });

  test('frames of unknown type and unknown fields are ignored', async () => {
    const { connection } = await both();
    connection.socket.send('{"type":"weather_report","sky":"blue"}');
    connection.socket.send('{"type":"ping","ts":5,"mood":"fine"}');
    expect(await connection.the('pong')).toEqual({ type: 'pong', ts: 5 });
  });

  test.each([CloseCode.badToken, CloseCode.unknownSession, CloseCode.superseded])(
    'close code %i is final: no further attempt, and calls explain it at once',
    async (code) => {
      const bridge = await bridgeWith({ onHello: ({ socket }) => socket.close(code) });
      const clock = new ManualClock();
      const channel = await channelOf(linkedTo(bridge.url), { clock });
      const connection = await bridge.connection();
      await until('the close', () => connection.closed);
      const result = await channel.client.callTool({ name: 'reply', arguments: {} });
      expect(result.isError).toBe(true);
      expect(await toolNames(channel)).toEqual(['reply']);
      clock.advance(60_000);
      // A second session's whole handshake takes longer than the connection of one that should not be made.
      const other = await bridgeWith();
      const witness = await channelOf(linkedTo(other.url));
      await other.connection();
      await toolNames(witness);
      expect(bridge.connections.length).toBe(1);
    },
  );

  test.each([CloseCode.badFrame, CloseCode.helloTimeout, 1001])(
    'close code %i is followed by a new hello',
    async (code) => {
      const { bridge, connection } = await both();
      connection.socket.close(code);
      await bridge.connection(2);
    },
  );
});

test('without the environment of a bridge every call explains what is missing', async () => {
  const settings: Settings = { kind: 'unlinked', offlineMs: 1, reason: 'SYNTHESIS_BRIDGE_URL is not set.' };
  const channel = await channelOf(settings);
  expect(await toolNames(channel)).toEqual(['reply']);
  const result = await channel.client.callTool({ name: 'reply', arguments: { text: 'hi' } });
  expect(result).toEqual({ isError: true, content: [{ type: 'text', text: settings.reason }] });
});
