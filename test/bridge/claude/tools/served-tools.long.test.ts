// Tools that are served through a host: an MCP client from npm on one side, a bridge and the one after it on the other.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { HookFeed } from '../../../../src/bridge/claude/hooks/hook-feed.ts';
import { ServedTools } from '../../../../src/bridge/claude/tools/served-tools.ts';
import type { LentCall } from '../../../../src/bridge/claude/tools/tool-catalog.ts';
import { HookDoor } from '../../../../src/host/hooks/hook-door.ts';
import { HookSpool } from '../../../../src/host/hooks/hook-spool.ts';
import type { ToolSpec } from '../../../../src/protocol/tool-spec.ts';
import type { HostFrame } from '../../../../src/protocol/wire/host.ts';
import { MAX_FRAME_BYTES } from '../../../../src/protocol/wire/wire.ts';
import { digest, token } from '../../../host/support.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

const spec = (name: string): ToolSpec => ({ name, description: name, parameters: {} });

let clock: ManualClock;
let spool: HookSpool;
let door: HookDoor;
let client: Client;
let changes: number;

type Known = ConstructorParameters<typeof ServedTools>[0]['known'];

/** What a bridge does for one Claude Code, as far as its tools are concerned. */
class Bridge {
  readonly tools: ServedTools;
  readonly called: LentCall[] = [];
  readonly cancelled: string[] = [];
  lists = 0;
  /** Read so far. */
  messages = 0;

  constructor(lent: readonly string[], known?: Known) {
    this.tools = new ServedTools({
      clock,
      log: silentLog,
      run: 'r1',
      tools: lent.map(spec),
      known,
      notify: (message, keep) => door.notices.say(Buffer.from(message), keep),
      events: {
        called: (call) => this.called.push(call),
        cancelled: (call) => this.cancelled.push(call),
        toolsListed: () => {
          this.lists += 1;
        },
      },
    });
    const feed = new HookFeed({
      host: {
        answer: (n, body) => spool.answer(n, Buffer.from(body)),
        acknowledge: (n) => spool.ack(n),
        done: (n) => spool.done(n),
      },
      log: silentLog,
      isClosing: () => false,
      reported: async () => {},
      read: ({ n }, body, from) => {
        this.messages += 1;
        return this.tools.read(n, body, from);
      },
    });
    spool.attach((frame: HostFrame, bytes) => {
      if (frame.type === 'hook')
        feed.came({
          n: frame.n,
          event: frame.event,
          body: Buffer.from(bytes ?? ''),
          request: frame.state === 'alone' ? 'gone' : frame.state,
        });
      else if (frame.type === 'closed')
        frame.state === 'written' ? feed.written(frame.hook) : feed.gone(frame.hook);
    });
  }

  first(): Promise<LentCall> {
    return until('a call', () => this.called[0]);
  }

  die(): void {
    spool.detach();
    this.tools.close();
  }
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

/** What the host keeps. */
function keptFrames(): HostFrame[] {
  const frames: HostFrame[] = [];
  spool.attach((frame) => frames.push(frame));
  spool.detach();
  return frames;
}

const keptNumbers = (): number[] => keptFrames().flatMap((frame) => (frame.type === 'hook' ? [frame.n] : []));

async function connect(): Promise<Client> {
  const to = new Client({ name: 'claude-code', version: '1' });
  to.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL(`http://127.0.0.1:${door.port}/mcp`);
  await to.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return to;
}

beforeEach(async () => {
  clock = new ManualClock();
  spool = new HookSpool();
  changes = 0;
  door = await HookDoor.open(spool, clock);
  door.admit(digest);
});

afterEach(async () => {
  await client.close();
  await door.close();
});

test('what is lent is listed under names that Claude can call, and a call has the lender’s own name', async () => {
  const bridge = new Bridge(['read', 'web.search']);
  client = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['reply', 'read', 'web_search']);
  expect(bridge.lists).toBe(1);
  const result = client.callTool({
    name: 'web_search',
    arguments: { q: 'x' },
    _meta: { 'claudecode/toolUseId': 'toolu_1' },
  });
  const call = await bridge.first();
  expect(call).toMatchObject({ tool: 'web.search', args: { q: 'x' }, tool_use: 'toolu_1' });
  bridge.tools.answerTool(call.call, true, 'found');
  expect(textOf(await result)).toBe('found');
  expect(bridge.cancelled).toEqual([]);
});

test('a failure and an envelope arrive as what they are', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const failing = client.callTool({ name: 'read' });
  bridge.tools.answerTool((await bridge.first()).call, false, 'no such file');
  expect(await failing).toMatchObject({ isError: true, content: [{ text: 'no such file' }] });
  bridge.called.length = 0;
  const enveloped = client.callTool({ name: 'read' });
  bridge.tools.answerTool((await bridge.first()).call, true, '{"ok":true}', true);
  expect(await enveloped).toMatchObject({ structuredContent: { ok: true } });
});

test('Claude Code is told that there are other tools once it has listed them, and only then', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  bridge.tools.setTools([spec('write')]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['reply', 'write']);
  bridge.tools.setTools([spec('write')]);
  await client.listTools();
  expect(changes).toBe(0);
  bridge.tools.setTools([spec('read'), spec('write')]);
  await until('a notice', () => changes > 0);
  expect((await client.listTools()).tools).toHaveLength(3);
  expect(changes).toBe(1);
});

test('its list is stale from the change until it was given the new one, or nobody waits for that any more', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  bridge.tools.setTools([spec('write')]);
  expect(bridge.tools.isStale).toBe(false);
  await client.listTools();
  expect(bridge.tools.isStale).toBe(false);
  bridge.tools.setTools([spec('read')]);
  expect(bridge.tools.isStale).toBe(true);
  await client.listTools();
  expect(bridge.tools.isStale).toBe(false);
  bridge.tools.setTools([spec('read')]);
  expect(bridge.tools.isStale).toBe(false);
  bridge.tools.setTools([spec('write')]);
  bridge.tools.giveUp();
  expect(bridge.tools.isStale).toBe(false);
});

test('a list that was asked for before a change does not count as the new one', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  await client.listTools();
  const asked = client.listTools();
  await until('the second list', () => bridge.lists === 2 || bridge.messages >= 4);
  bridge.tools.setTools([spec('write')]);
  await asked;
  expect(bridge.tools.isStale).toBe(true);
});

test('of a Claude Code that was there before nobody knows what it has', async () => {
  const bridge = new Bridge(['read'], { calls: [], results: [], heard: 0 });
  client = await connect();
  expect(bridge.tools.isStale).toBe(true);
  await client.listTools();
  expect(bridge.tools.isStale).toBe(false);
});

test('a call that Claude takes back is cancelled, and its answer goes nowhere', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const stop = new AbortController();
  const result = client.callTool({ name: 'read' }, undefined, { signal: stop.signal });
  const { call } = await bridge.first();
  stop.abort();
  await expect(result).rejects.toThrow();
  await until('the cancellation', () => bridge.cancelled.length > 0);
  expect(bridge.cancelled).toEqual([call]);
  bridge.tools.answerTool(call, true, 'late');
  expect((await client.listTools()).tools).toHaveLength(2);
});

test('a client that hangs up takes its call back', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const result = client.callTool({ name: 'read' }).catch(() => 'over');
  const { call } = await bridge.first();
  await client.close();
  expect(await result).toBe('over');
  await until('the cancellation', () => bridge.cancelled.length > 0);
  expect(bridge.cancelled).toEqual([call]);
});

test('a call outlives the bridge that heard it: the next one answers it, without calling it again', async () => {
  const before = new Bridge(['read']);
  client = await connect();
  await client.listTools();
  const waiting = client.callTool({ name: 'read', arguments: { n: 1 } });
  const { call } = await before.first();
  before.die();
  const unheard = client.callTool({ name: 'read', arguments: { n: 2 } });
  const next = new Bridge(['read', 'write'], { calls: [call], results: [], heard: 100 });
  // What came while there was no bridge has a number behind all that the one before has heard.
  await until('both', () => next.messages === 2);
  clock.advance(9_999);
  expect(await Promise.race([unheard, 'it waits'])).toBe('it waits');
  clock.advance(1);
  expect(textOf(await unheard)).toContain('is lost');
  // The one that is known has all the time that it needs.
  next.tools.answerTool(call, true, 'from the next');
  expect(textOf(await waiting)).toBe('from the next');
  expect(next.called).toEqual([]);
  expect(before.cancelled).toEqual([]);
  await until('the notice of what is lent now', () => changes > 0);
});

test('a call that came while there was no bridge is made, and an answer that did not arrive comes again', async () => {
  const before = new Bridge(['read']);
  client = await connect();
  const waiting = client.callTool({ name: 'read', arguments: { n: 1 } });
  const { call } = await before.first();
  before.die();
  const unheard = client.callTool({ name: 'read', arguments: { n: 2 } });
  const kept = await until('both calls in the host', () => {
    const numbers = keptNumbers();
    return numbers.length === 2 && numbers;
  });
  const heard = Math.max(...kept) - 1;
  const results = [{ call, ok: true, content: 'answered before' }];
  const next = new Bridge(['read'], { calls: [], results, heard });
  expect(textOf(await waiting)).toBe('answered before');
  const late = await next.first();
  expect(late.args).toEqual({ n: 2 });
  next.tools.answerTool(late.call, true, 'made now');
  expect(textOf(await unheard)).toBe('made now');
});

test('a call whose client hung up while there was no bridge is cancelled by the next one', async () => {
  const before = new Bridge(['read']);
  client = await connect();
  const waiting = client.callTool({ name: 'read' }).catch(() => 'over');
  const { call } = await before.first();
  before.die();
  await client.close();
  expect(await waiting).toBe('over');
  await until('its end in the host', () =>
    keptFrames().some((each) => each.type === 'hook' && each.state === 'gone'),
  );
  const next = new Bridge(['read'], { calls: [call], results: [], heard: 100 });
  await until('the cancellation', () => next.cancelled.length > 0);
  expect(next.cancelled).toEqual([call]);
});

test('who cancels a call and stays on the line is told that nothing comes', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const post = (message: object) =>
    fetch(`http://127.0.0.1:${door.port}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: { authorization: `Bearer ${token}` },
    });
  const called = post({ id: 'mine', method: 'tools/call', params: { name: 'read' } });
  const { call } = await bridge.first();
  expect((await post({ method: 'notifications/cancelled', params: { requestId: 'mine' } })).status).toBe(202);
  expect((await called).status).toBe(202);
  expect(bridge.cancelled).toEqual([call]);
});

test('an answer that takes long keeps its connection alive, and comes', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const result = client.callTool({ name: 'read' });
  const { call } = await bridge.first();
  for (let minute = 0; minute < 10; minute += 1) clock.advance(60_000);
  bridge.tools.answerTool(call, true, 'at last');
  expect(textOf(await result)).toBe('at last');
});

test('arguments and results that are too large are said to be', async () => {
  const bridge = new Bridge(['read']);
  client = await connect();
  const large = 'x'.repeat(MAX_FRAME_BYTES + 1);
  expect(textOf(await client.callTool({ name: 'read', arguments: { large } }))).toContain('too large');
  expect(bridge.called).toEqual([]);
  const result = client.callTool({ name: 'read' });
  bridge.tools.answerTool((await bridge.first()).call, true, large);
  expect(textOf(await result)).toContain('RESULT_TOO_LARGE');
});

test('what is no message gets an error, and the next one is heard', async () => {
  const bridge = new Bridge(['read']);
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${door.port}/mcp`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  for (const body of ['{', '7', '[]', '{"jsonrpc":"2.0","id":1}'])
    expect(await (await post(body)).json()).toMatchObject({ error: { code: -32600 } });
  client = await connect();
  expect((await client.listTools()).tools).toHaveLength(2);
  expect(bridge.lists).toBe(1);
});
