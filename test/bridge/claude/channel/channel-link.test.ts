// The bridge's end of `/bridge` with real WebSockets on loopback.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hashId } from '../../../../src/base/digest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { ChannelLink } from '../../../../src/bridge/claude/channel/channel-link.ts';
import { ChannelServer } from '../../../../src/bridge/claude/channel/channel-server.ts';
import type { LentCall } from '../../../../src/bridge/claude/tools/tool-catalog.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import type { BridgeFrame, ChannelFrame, Hello } from '../../../../src/protocol/wire/wire.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

const token = 'secret';
let clock: ManualClock;
let server: WebSocketServer;
let link: ChannelLink;
let events: (
  | AgentReport
  | ({ type: 'called' } & LentCall)
  | { type: 'written' | 'listed' | 'asked'; id?: string; again?: boolean }
)[];
let channels: Channel[];

/** A channel server as the bridge sees it. */
class Channel {
  readonly frames: BridgeFrame[] = [];
  closed: number | undefined;
  readonly #socket: WebSocket;

  constructor() {
    this.#socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`);
    this.#socket.on('message', (data) => this.frames.push(JSON.parse(String(data))));
    this.#socket.on('close', (code) => {
      this.closed = code;
    });
    this.#socket.on('error', () => {});
    channels.push(this);
  }

  async open(): Promise<this> {
    await once(this.#socket, 'open');
    return this;
  }

  send(frame: ChannelFrame | string | Buffer): void {
    this.#socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  }

  async next<T extends BridgeFrame['type']>(type: T, count = 1): Promise<Extract<BridgeFrame, { type: T }>> {
    const found = await until(
      `${type} #${count}`,
      () => this.frames.filter((frame) => frame.type === type)[count - 1],
    );
    return found as Extract<BridgeFrame, { type: T }>;
  }

  closedWith(): Promise<number> {
    return until('close', () => this.closed);
  }

  end(): void {
    this.#socket.terminate();
  }
}

const hello = (more: Partial<Hello> = {}): Hello => ({
  type: 'hello',
  openclaw_session: 'k',
  claude_session: 'c',
  pid: 1,
  token,
  ...more,
});

async function connected(more?: Partial<Hello>): Promise<Channel> {
  const channel = await new Channel().open();
  channel.send(hello(more));
  await channel.next('hello_ack');
  return channel;
}

beforeEach(async () => {
  clock = new ManualClock();
  events = [];
  channels = [];
  link = new ChannelLink([{ name: 'weather', description: '', parameters: { type: 'object' } }], {
    clock,
    log: silentLog,
    inboundLimit: 2,
    events: {
      report: (report) => events.push(report),
      called: (call) => events.push({ type: 'called', ...call }),
      toolsListed: () => events.push({ type: 'listed' }),
      written: (id) => events.push({ type: 'written', id }),
      asked: ({ request_id }, again) => events.push({ type: 'asked', id: request_id, again }),
      changed: () => {},
    },
  });
  const door = new ChannelServer({
    clock,
    log: silentLog,
    find: (key) => (key === 'k' ? { digest: hashId(token, 64), link } : undefined),
  });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => door.accept(socket, () => {}));
  await once(server, 'listening');
});
afterEach(async () => {
  link.close();
  for (const channel of channels) channel.end();
  await new Promise((resolve) => server.close(resolve));
});

const inbound = (request_id: string) => ({
  type: 'inbound_message' as const,
  request_id,
  content: 'hi',
  meta: {},
});
const seen = (type: string) => events.filter((event) => event.type === type);

describe('the hello', () => {
  test('of the right session is answered with its tools', async () => {
    const channel = await connected();
    expect(await channel.next('hello_ack')).toMatchObject({ tools: [{ name: 'weather' }], protocol: 1 });
  });

  test('of a newer channel takes over from the older one', async () => {
    const older = await connected();
    const newer = await connected({ pid: 2 });
    expect(await older.closedWith()).toBe(4409);
    expect(link.pid).toBe(2);
    link.deliver(inbound('a'));
    expect(await newer.next('inbound_message')).toMatchObject({ request_id: 'a' });
  });

  test('that comes twice on one connection is refused in words, and changes nothing', async () => {
    const channel = await connected();
    channel.send(hello({ pid: 2 }));
    expect(await channel.next('error')).toMatchObject({ message: expect.stringContaining('said hello') });
    expect(await channel.closedWith()).toBe(4400);
    expect(link.pid).toBe(1);
  });
});

describe('a message', () => {
  test('is confirmed once', async () => {
    const channel = await connected();
    link.deliver(inbound('a'));
    await channel.next('inbound_message');
    channel.send({ type: 'inbound_written', request_id: 'a' });
    channel.send({ type: 'inbound_written', request_id: 'a' });
    channel.send({ type: 'tools_listed', count: 1 });
    await until('both', () => seen('listed').length);
    expect(seen('written')).toEqual([{ type: 'written', id: 'a' }]);
  });

  test('that was not confirmed is sent again after a reconnect, unless the channel has seen it', async () => {
    const first = await connected();
    link.deliver(inbound('a'));
    link.deliver(inbound('b'));
    await first.next('inbound_message', 2);
    first.end();
    await until('the loss', () => !link.connected);
    const second = await connected({ seen: ['a'] });
    expect(await second.next('inbound_message')).toMatchObject({ request_id: 'b' });
    expect(seen('written')).toEqual([{ type: 'written', id: 'a' }]);
  });

  test('above the limit pushes the oldest out, and its turn is told', () => {
    for (const id of ['a', 'b', 'c']) link.deliver(inbound(id));
    expect(events).toEqual([
      { type: 'prompt.failed', turn: 'a', code: 'overflow', detail: expect.any(String), retry: false },
    ]);
  });
});

describe('a tool call', () => {
  const call = {
    type: 'tool_call' as const,
    call_id: 'tc1',
    tool: 'weather',
    args: { city: 'Ulm' },
    tool_use_id: 'u',
  };

  test('is reported once, and its answer repeated to whoever asks again', async () => {
    const channel = await connected();
    channel.send(call);
    channel.send(call);
    await until('the call', () => seen('called').length);
    link.answerTool('tc1', true, 'sunny');
    channel.send(call);
    expect(await channel.next('tool_result', 2)).toEqual({
      type: 'tool_result',
      call_id: 'tc1',
      ok: true,
      result: 'sunny',
    });
    expect(seen('called')).toEqual([
      { type: 'called', call: 'tc1', tool: 'weather', args: { city: 'Ulm' }, tool_use: 'u' },
    ]);
  });

  test('answered while the channel was away is answered at its next hello', async () => {
    const first = await connected();
    first.send(call);
    await until('the call', () => seen('called').length);
    first.end();
    await until('the loss', () => !link.connected);
    link.answerTool('tc1', false, 'no weather today');
    const second = await connected({ open_calls: ['tc1'] });
    expect(await second.next('tool_result')).toMatchObject({ ok: false, error: 'no weather today' });
  });

  test('that is answered with an envelope says so to the channel, also when it repeats', async () => {
    const channel = await connected();
    channel.send(call);
    await until('the call', () => seen('called').length);
    link.answerTool('tc1', false, '{}', true);
    channel.send(call);
    const answer = { type: 'tool_result', call_id: 'tc1', ok: false, error: '{}', envelope: true };
    expect([await channel.next('tool_result'), await channel.next('tool_result', 2)]).toEqual([
      answer,
      answer,
    ]);
  });

  test('that the channel does not wait for any more is cancelled', async () => {
    const first = await connected();
    first.send(call);
    await until('the call', () => seen('called').length);
    first.end();
    await until('the loss', () => !link.connected);
    await connected({ open_calls: [] });
    expect(seen('tool.cancel')).toEqual([{ type: 'tool.cancel', call: 'tc1' }]);
  });

  test('whose result is too large for a frame is answered with words', async () => {
    const channel = await connected();
    channel.send(call);
    await until('the call', () => seen('called').length);
    link.answerTool('tc1', true, 'x'.repeat(2_000_000));
    const { ok, error, envelope } = { error: '', ...(await channel.next('tool_result')) };
    expect([ok, envelope]).toEqual([false, true]);
    expect(JSON.parse(error)).toMatchObject({
      error: { code: 'RESULT_TOO_LARGE', message: expect.stringContaining('1 MiB') },
    });
  });
});

test('a bad frame ends the connection, an unknown one is ignored', async () => {
  const channel = await connected();
  channel.send(JSON.stringify({ type: 'from_the_future' }));
  channel.send({ type: 'ping', ts: 7 });
  expect(await channel.next('pong')).toEqual({ type: 'pong', ts: 7 });
  channel.send(JSON.stringify({ type: 'tool_call' }));
  expect(await channel.closedWith()).toBe(4400);
});

test('two unanswered pings mean that the channel is dead', async () => {
  const channel = await connected();
  clock.advance(30_000);
  const { ts } = await channel.next('ping');
  channel.send({ type: 'pong', ts });
  channel.send({ type: 'tools_listed', count: 0 });
  await until('the pong', () => seen('listed').length);
  clock.advance(60_000);
  expect(link.connected).toBe(true);
  clock.advance(30_000);
  await until('the end', () => !link.connected);
  expect(await channel.closedWith()).toBe(1006);
});

test('new tools are told to a connected channel, and to the next one', async () => {
  const channel = await connected();
  link.setTools([]);
  expect(await channel.next('tools_changed')).toEqual({ type: 'tools_changed', tools: [] });
  const next = await connected();
  expect(await next.next('hello_ack')).toMatchObject({ tools: [] });
});

test('its list is stale from the change until Claude Code has read the new one, and equal tools change nothing', async () => {
  const channel = await connected();
  const spec = { name: 'weather', description: '', parameters: { type: 'object' } };
  link.setTools([]);
  expect(link.isStale).toBe(false);
  channel.send({ type: 'tools_listed', count: 0 });
  await until('the list', () => seen('listed').length === 1);
  link.setTools([]);
  expect(link.isStale).toBe(false);
  link.setTools([spec]);
  expect(link.isStale).toBe(true);
  channel.send({ type: 'tools_listed', count: 1 });
  await until('the list', () => seen('listed').length === 2);
  expect(link.isStale).toBe(false);
  link.setTools([]);
  link.giveUp();
  expect(link.isStale).toBe(false);
  await until(
    'three changes',
    () => channel.frames.filter(({ type }) => type === 'tools_changed').length === 3,
  );
});

describe('a verdict', () => {
  const question = {
    type: 'permission_request' as const,
    request_id: 'abcde',
    tool: 'Bash',
    args: {},
    rationale: '',
  };
  const verdicts = (channel: Channel) => channel.frames.filter(({ type }) => type === 'permission_reply');

  test('waits for the channel to come back, and counts as sent only then', async () => {
    let sent = 0;
    link.verdicts.pass('abcde', 'deny', () => {
      sent += 1;
    });
    expect(sent).toBe(0);
    const channel = await connected();
    expect(await channel.next('permission_reply')).toMatchObject({ request_id: 'abcde', behavior: 'deny' });
    expect(sent).toBe(1);
  });

  test('is repeated after each hello: the connection may have died with it unread', async () => {
    const first = await connected();
    link.verdicts.pass('abcde', 'allow', () => {});
    await first.next('permission_reply');
    first.end();
    await until('the end of the connection', () => !link.connected);
    expect(await (await connected()).next('permission_reply')).toMatchObject({ behavior: 'allow' });
  });

  test('is not sent any more once its question is over', async () => {
    link.verdicts.pass('abcde', 'allow', () => {});
    link.verdicts.forget('abcde');
    const channel = await connected();
    link.setTools([]);
    await channel.next('tools_changed');
    expect(verdicts(channel)).toEqual([]);
  });

  test('is asked for again right after a hello, which is told apart from a new question', async () => {
    const channel = await connected();
    channel.send(question);
    await until('the repeated question', () => seen('asked').length === 1);
    clock.advance(2000);
    channel.send({ ...question, request_id: 'fghij' });
    await until('the new question', () => seen('asked').length === 2);
    expect(seen('asked')).toMatchObject([{ again: true }, { again: false }]);
  });
});
