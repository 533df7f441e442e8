// Tools that the bridge lends beside the hub's: what Claude is told of them, and as whose its calls are judged.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { jsonLog, silentLog } from '../../../../src/base/log.ts';
import { ChannelServer } from '../../../../src/bridge/claude/channel/channel-server.ts';
import { ClaudeAgent } from '../../../../src/bridge/claude/claude-agent.ts';
import type { ClaudeRun } from '../../../../src/bridge/claude/claude-run.ts';
import type { LocalTools } from '../../../../src/bridge/claude/options.ts';
import { ToolCatalog } from '../../../../src/bridge/claude/tools/tool-catalog.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import type { Call } from '../../../../src/domain/policy/call.ts';
import type { ToolSpec } from '../../../../src/protocol/tool-spec.ts';
import type { BridgeFrame, ChannelFrame } from '../../../../src/protocol/wire/wire.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { letThrough } from '../../../support/rulings.ts';
import { until } from '../../../support/until.ts';
import { bareRun, secret } from '../bare-run.ts';
import { NoHost } from '../no-host.ts';

const spec = (name: string, description = ''): ToolSpec => ({ name, description, parameters: {} });

const schema = { properties: { query: { type: 'string' } } };

/** The tools of one provider. */
class Notes implements LocalTools {
  offered = [spec('notes_search', 'the provider’s')];
  readonly subscribers = new Set<() => void>();

  specs = () => this.offered;
  find = (tool: string) =>
    this.offered.some(({ name }) => name === tool)
      ? { provider: 'notes', permissions: ['read:notes'], schema }
      : undefined;

  subscribe(changed: () => void): () => void {
    this.subscribers.add(changed);
    return () => this.subscribers.delete(changed);
  }
}

const judged: Call[] = [];
const reports: AgentReport[] = [];
let notes: Notes;
let run: ClaudeRun;
let host: NoHost;
let server: WebSocketServer;
let channel: WebSocket;
let frames: BridgeFrame[];

beforeEach(async () => {
  judged.length = 0;
  reports.length = 0;
  frames = [];
  notes = new Notes();
  const clock = new ManualClock();
  host = new NoHost();
  run = bareRun({
    clock,
    host,
    tools: [spec('exec'), spec('notes_search', 'the hub’s')],
    localTools: notes,
    judge: (call) => {
      judged.push(call);
      return letThrough;
    },
    report: (report) => void reports.push(report),
  });
  run.listen();
  const door = new ChannelServer({ clock, log: silentLog, find: () => run });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => door.accept(socket, () => {}));
  await once(server, 'listening');
  channel = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  channel.on('message', (data) => frames.push(JSON.parse(String(data))));
  await once(channel, 'open');
  send({ type: 'hello', openclaw_session: 'k', claude_session: 'c', pid: 1, token: secret });
  await until('the hello', () => frames.length > 0);
});

afterEach(async () => {
  await run.close();
  channel.terminate();
  await new Promise((resolve) => server.close(resolve));
});

const send = (frame: ChannelFrame) => channel.send(JSON.stringify(frame));
const told = () =>
  frames.flatMap((frame) =>
    'tools' in frame
      ? [[frame.type, ...frame.tools.map((tool) => `${tool.name} ${tool.description}`.trim())]]
      : [],
  );
async function called(tool: string): Promise<void> {
  const before = reports.length;
  send({ type: 'tool_call', call_id: `call of ${tool}`, tool, args: { query: 'x' } });
  await until('the call', () => reports.length > before);
}

test('they come first, and hide those of the hub that have their names, from the hello on', async () => {
  run.link.setTools([spec('notes_search', 'the hub’s'), spec('read')]);
  notes.offered = [];
  run.link.toolsChanged();
  await until('all', () => frames.length === 3);
  expect(told()).toEqual([
    ['hello_ack', 'notes_search the provider’s', 'exec'],
    ['tools_changed', 'notes_search the provider’s', 'read'],
    ['tools_changed', 'notes_search the hub’s', 'read'],
  ]);
});

test('a call of theirs is judged with its provider and schema and reported as its, any other as the hub’s', async () => {
  await called('notes_search');
  await called('exec');
  const input = { query: 'x' };
  expect(judged).toEqual([
    { tool: 'notes_search', input, lent: true, provider: 'notes', permissions: ['read:notes'], schema },
    { tool: 'exec', input, lent: true },
  ]);
  expect(reports.map((report) => 'provider' in report && report.provider)).toEqual(['notes', false]);
});

test('so it is judged where a hook of Claude Code tells of it', () => {
  for (const tool_name of ['mcp__synthesis__notes_search', 'notes_search'])
    host.hooked('PreToolUse', { tool_name, tool_input: {} });
  expect(judged.map(({ lent, provider }) => [lent, provider])).toEqual([
    [true, 'notes'],
    [false, undefined],
  ]);
});

test('what is hidden is logged once until it is something else', () => {
  const lines: string[] = [];
  const log = jsonLog({ write: (line) => lines.push(line), wall: () => 0 });
  const catalog = new ToolCatalog([spec('notes_search'), spec('exec')], notes, log);
  const logged = () => lines.splice(0).map((line) => (JSON.parse(line) as { tools: string[] }).tools);
  for (const _ of [1, 2]) catalog.all();
  expect(logged()).toEqual([['notes_search']]);
  notes.offered.push(spec('exec'));
  catalog.all();
  expect(logged()).toEqual([['notes_search', 'exec']]);
  notes.offered = [];
  catalog.all();
  expect(logged()).toEqual([]);
});

test('the agent hears of changes until it is closed', async () => {
  const never = () => {
    throw new Error('nothing is started here');
  };
  const agent = new ClaudeAgent({
    clock: new ManualClock(),
    log: silentLog,
    report: never,
    reported: async () => {},
    claimCode: never,
    ownerOf: () => undefined,
    session: () => undefined,
    judge: never,
    joins: never,
    localTools: { of: () => notes, subscribe: (changed) => notes.subscribe(changed) },
    policed: false,
    loadHosts: never,
    stateDir: tmpdir(),
    baseUrl: '',
    claudeCommand: ['claude'],
    channelEntry: '',
    nodePath: process.execPath,
    env: {},
  });
  expect(notes.subscribers.size).toBe(1);
  await agent.close();
  expect(notes.subscribers.size).toBe(0);
});
