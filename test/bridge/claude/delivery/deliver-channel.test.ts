// A message by the channel, whose own word of it gets lost.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { silentLog } from '../../../../src/base/log.ts';
import { ChannelServer } from '../../../../src/bridge/claude/channel/channel-server.ts';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import { deliverByChannel } from '../../../../src/bridge/claude/delivery/deliver-channel.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import type { BridgeFrame } from '../../../../src/protocol/wire/wire.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';
import { bareRun, secret } from '../bare-run.ts';
import { NoHost } from '../no-host.ts';
import { Title } from '../screen/title.ts';

const prompt = { turn: 't1', text: 'hello', writer: 'user', attempt: 1, meta: {} };
const reports: AgentReport[] = [];
let clock: ManualClock;
let host: NoHost;
let run: ClaudeRun;
let server: WebSocketServer;
const channels: WebSocket[] = [];

beforeEach(async () => {
  reports.length = 0;
  host = new NoHost();
  clock = new ManualClock();
  const rule = '─'.repeat(80);
  const terminal = Object.assign(new Title(), { rows: () => [rule, '❯ ', rule] });
  run = bareRun({ clock, host, terminal, relays: true, report: (report) => void reports.push(report) });
  run.listen();
  const door = new ChannelServer({ clock, log: silentLog, find: () => run });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => door.accept(socket, () => {}));
  await once(server, 'listening');
});

afterEach(async () => {
  run.stopping = 'the test is over';
  await run.close();
  for (const channel of channels.splice(0)) channel.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** A channel server that has seen no message. @returns what it is told */
async function connect(pid = process.pid): Promise<BridgeFrame[]> {
  const frames: BridgeFrame[] = [];
  const channel = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  channels.push(channel);
  channel.on('message', (data) => frames.push(JSON.parse(String(data))));
  await once(channel, 'open');
  const hello = {
    type: 'hello',
    openclaw_session: 'k',
    claude_session: 'c',
    pid,
    token: secret,
  };
  channel.send(JSON.stringify(hello));
  await until('the hello', () => frames.length > 0);
  return frames;
}

const types = (frames: readonly BridgeFrame[]) => frames.map(({ type }) => type);

test('one that Claude Code has told of is not given to it again by the next channel', async () => {
  const first = await connect();
  const delivered = deliverByChannel(run, prompt, 'k', { turn: 't1', cancelled: false, sent: false });
  await until('the message', () => types(first).includes('inbound_message'));
  // Another one takes over before the first can say that it has written it; Claude has read it.
  const second = connect();
  host.hooked('UserPromptSubmit', {
    session_id: '',
    prompt_id: 'p1',
    prompt: '<channel source="synthesis" message_id="t1">\nhello\n</channel>',
  });
  expect(await delivered).toEqual({ kind: 'taken' });
  await second;
  const third = await connect();
  run.link.send({ type: 'ping', ts: 1 });
  await until('what comes behind the hello', () => types(third).includes('ping'));
  expect(types(third)).toEqual(['hello_ack', 'ping']);
  const [told] = reports.filter(({ type }) => type === 'prompt.taken');
  expect(told).toMatchObject({ turn: 't1', prompt: 'p1' });
});

test('one that nobody has told of is', async () => {
  const first = await connect();
  void deliverByChannel(run, prompt, 'k', { turn: 't1', cancelled: false, sent: false });
  await until('the message', () => types(first).includes('inbound_message'));
  const second = await connect();
  await until('the message, again', () => types(second).includes('inbound_message'));
});

test('one whose channel server has ended waits for no reconnection: it is started again at once', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const first = await connect(pid);
  void deliverByChannel(run, prompt, 'k', { turn: 't1', cancelled: false, sent: false });
  await until('the message', () => types(first).includes('inbound_message'));
  for (const channel of channels) channel.terminate();
  await until('the loss to be seen', () => !run.link.connected);
  clock.advance(50);
  await until('the next one to be asked for', () => run.channelRepairs === 1);
});
