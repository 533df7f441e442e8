// The real program over real stdio, as Claude Code starts it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { WireEnv } from '../../../src/protocol/wire/wire.ts';
import { TestBridge } from '../../channel/support/test-bridge.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { until } from '../../support/until.ts';
import { channelProgram as program } from '../support/program.ts';

const token = 'token-that-must-not-be-printed';
const patience = 30_000;

const envOf = (url: string): Record<string, string> => ({
  [WireEnv.bridgeUrl]: url,
  [WireEnv.bridgeToken]: token,
  [WireEnv.openclawSession]: 'agent:main:main',
  [WireEnv.claudeSession]: '7f6d0f5e-3a52-4f0c-9c7b-1f0f7d3b2a11',
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2026-07-28',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.329' },
  },
};

interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Parsed lines of stdout; a line that is no JSON fails the test. */
  out: { id?: number; result?: Record<string, unknown>; error?: unknown; method?: string }[];
  words(): string;
  say(message: object): void;
}

let children: ChildProcessWithoutNullStreams[] = [];
let bridges: TestBridge[] = [];
afterEach(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  for (const bridge of bridges) await bridge.kill();
  children = [];
  bridges = [];
});

async function bridgeWith(options: Parameters<typeof TestBridge.start>[0] = {}): Promise<TestBridge> {
  const bridge = await TestBridge.start(options);
  bridges.push(bridge);
  return bridge;
}

function run(env: Record<string, string>): Running {
  const child = spawn(process.execPath, [program], { env, stdio: 'pipe' });
  children.push(child);
  const running: Running = {
    child,
    out: [],
    words: () => stderr,
    say: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
  };
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    const lines = stdout.split('\n');
    stdout = lines.pop() ?? '';
    for (const line of lines) running.out.push(JSON.parse(line));
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return running;
}

const answer = ({ out }: Running, id: number) =>
  until(`the answer to request ${id}`, () => out.find((message) => message.id === id), patience);

/** @returns the exit code, or the signal that ended the process. */
async function exit({ child }: Running): Promise<unknown> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}

test(
  'a client on stdio does initialize, tools/list, a message and a tool call',
  async () => {
    const weather = {
      name: 'weather',
      description: 'Weather',
      parameters: { type: 'object', properties: {} },
    };
    const bridge = await bridgeWith({ tools: [weather] });
    const client = new Client({ name: 'claude-code', version: '2.1.329' }, { capabilities: {} });
    const contents: unknown[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      contents.push([method, params?.content]);
    };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env: envOf(bridge.url),
      stderr: 'ignore',
    });
    await client.connect(transport);
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['reply', 'weather']);
      const connection = await bridge.connection();
      expect((await connection.the('hello')).token).toBe(token);
      await connection.the('tools_listed');
      connection.send({ type: 'inbound_message', request_id: 'm1', content: 'How warm is it?', meta: {} });
      await connection.the('inbound_written');
      await until('the event', () => contents.length === 1);
      expect(contents).toEqual([['notifications/claude/channel', 'How warm is it?']]);
      const call = client.callTool({ name: 'weather', arguments: { place: 'here' } });
      const { call_id } = await connection.the('tool_call');
      connection.send({ type: 'tool_result', call_id, ok: true, result: { degrees: 21 } });
      expect((await call).content).toEqual([{ type: 'text', text: '{"degrees":21}' }]);
    } finally {
      await client.close();
    }
  },
  patience,
);

test(
  'an unknown probe is refused, a newer revision is negotiated down, and noise on stdin is survived',
  async () => {
    const channel = run({});
    channel.say({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: {} });
    channel.child.stdin.write('this is not JSON\n{"jsonrpc":"1.0"}\n');
    channel.say(initialize);
    expect((await answer(channel, 0)).error).toMatchObject({ code: -32601 });
    expect((await answer(channel, 1)).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'synthesis' },
    });
  },
  patience,
);

test(
  'without its environment it still serves MCP, and says on stderr and in every call what is missing',
  async () => {
    const channel = run({});
    channel.say(initialize);
    channel.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    channel.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'reply', arguments: {} } });
    const { result } = await answer(channel, 2);
    expect(result).toMatchObject({ isError: true });
    for (const name of Object.values(WireEnv)) {
      expect(JSON.stringify(result)).toContain(name);
      await until(`${name} on stderr`, () => channel.words().includes(name));
    }
  },
  patience,
);

describe('the end', () => {
  const started = async (): Promise<Running & { bridge: TestBridge }> => {
    const bridge = await bridgeWith({ port: await lastingPort() });
    const channel = run(envOf(bridge.url));
    channel.say(initialize);
    await bridge.connection();
    return Object.assign(channel, { bridge });
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with 0 and closes the socket properly',
    async (signal) => {
      const channel = await started();
      channel.child.kill(signal);
      expect(await exit(channel)).toBe(0);
      const connection = await channel.bridge.connection();
      await until('the close', () => connection.closed);
      expect(connection.closed?.code).toBe(1000);
    },
    patience,
  );

  test(
    'the end of stdin ends it, also while a call is open',
    async () => {
      const channel = await started();
      channel.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
      channel.say({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'reply', arguments: {} } });
      await (await channel.bridge.connection()).the('tool_call');
      channel.child.stdin.end();
      expect(await exit(channel)).toBe(0);
    },
    patience,
  );

  test(
    'the death of the parent ends it even if stdin stays open',
    async () => {
      const bridge = await bridgeWith();
      // The parent passes its own stdin on and is killed; the pipe's writing end stays open in this process.
      const parentCode = `
        const { spawn } = require('node:child_process');
        const child = spawn(process.execPath, [${JSON.stringify(program)}], { stdio: ['inherit', 'ignore', 'ignore'] });
        process.stdout.write(String(child.pid));
        setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, ['-e', parentCode], { env: envOf(bridge.url), stdio: 'pipe' });
      children.push(parent);
      const { pid } = await (await bridge.connection()).the('hello');
      expect(pid).not.toBe(parent.pid);
      parent.kill('SIGKILL');
      const connection = await bridge.connection();
      await until('the channel to close its socket', () => connection.closed, patience);
      await until('the channel to be gone', () => !isRunning(pid), patience);
    },
    patience,
  );

  test(
    'a bridge that comes back is found again by the running program, and the token is never printed',
    async () => {
      const channel = await started();
      const { port } = channel.bridge;
      await channel.bridge.kill();
      const next = await bridgeWith({ port });
      await next.connection();
      expect(channel.child.exitCode).toBeNull();
      channel.child.stdin.end();
      await exit(channel);
      expect(channel.words()).toContain('trying again');
      expect(channel.words() + JSON.stringify(channel.out)).not.toContain(token);
    },
    patience,
  );
});
