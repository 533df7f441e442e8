// The real Claude Code with tools of three kinds: of a provider of ours, of an MCP server from npm as it is, of the hub.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Envelope } from '../../src/protocol/envelope.ts';
import { mainChat } from '../support/main-chat.ts';
import { until } from '../support/until.ts';
import type { ApiRequest } from './support/messages-request.ts';
import { World } from './support/world.ts';

const root = resolve(import.meta.dirname, '../..');
const example = join(root, 'examples/todo-provider/server.mjs');
const steerable = join(root, 'test/fixtures/steerable-provider.mjs');
const fileServer = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);

interface Result {
  type: string;
  is_error?: boolean;
  content?: unknown;
}

/** What the model is given for its calls since the person's last words, oldest first. */
function resultsIn({ body }: ApiRequest): Result[] {
  return body.messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Result[]) : []))
    .filter(({ type }) => type === 'tool_result');
}

function textOf({ content }: Result): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text }) => text).join('');
}

/** A model that makes these calls, one after the other, and says that it is done. */
function calls(world: World, words: string, wanted: [tool: string, input: object][]): void {
  world.api.on(words, (answer, request) => {
    const since = request.body.messages.slice(
      request.body.messages.findLastIndex(({ content }) => JSON.stringify(content).includes(words)),
    );
    const made = since.filter(({ role }) => role === 'assistant').length;
    const next = wanted[made];
    if (next) answer.tool(`mcp__synthesis__${next[0]}`, next[1]);
    else answer.text('done');
  });
}

async function statusOf({ bridge }: World): Promise<string> {
  const { status } = (await (await fetch(`${bridge.url}/healthz`)).json()) as { status: string };
  return status;
}

const lastResults = ({ api }: World, many: number): Result[] =>
  resultsIn(api.turns.at(-1) as ApiRequest).slice(-many);

test('in one turn Claude uses a tool of a provider, of an MCP server from npm and of the hub', async () => {
  await using world = await World.start('providers', {
    config: {
      providers: [
        {
          name: 'todo',
          command: [process.execPath, example],
          env: { TODO_FILE: '/nowhere/todo.json' },
          permissions: ['read:todo'],
        },
        { name: 'files', command: [process.execPath, fileServer, root], permissions: ['read:files'] },
      ],
    },
  });
  calls(world, 'use all', [
    ['todo_list', {}],
    ['files_read_text_file', { path: join(root, 'package.json'), head: 2 }],
    ['read', { path: '/x' }],
  ]);
  const client = mainChat({ url: world.bridge.url, token: world.bridge.provider.apiKey });
  expect(await client.say('use all')).toContain('done');

  const [todo, file, hub] = lastResults(world, 3).map(textOf);
  expect(Envelope.parse(JSON.parse(todo ?? ''))).toMatchObject({ status: 'healthy', data: [], error: null });
  expect(Envelope.parse(JSON.parse(file ?? ''))).toMatchObject({
    status: 'healthy',
    data: { content: expect.stringContaining('"name": "synthesis-agent"') },
  });
  expect(hub).toBe('read ran in the hub');
  const offered = world.api.turns.at(-1)?.body.tools?.map(({ name }) => name);
  expect(offered).toEqual(
    expect.arrayContaining([
      'mcp__synthesis__synthesis_status',
      'mcp__synthesis__todo_add',
      'mcp__synthesis__files_read_text_file',
    ]),
  );
});

test('healthy, degraded and unavailable reach the model as the same envelope, with and without an error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'gate-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const gate = join(dir, 'closed');
  await using world = await World.start('health', {
    config: {
      providers: [
        {
          name: 'peer',
          command: [process.execPath, steerable],
          env: { GATE: gate },
          permissions: ['read:peer'],
        },
      ],
    },
  });
  calls(world, 'first', [['peer_echo', { text: 'one' }]]);
  await world.bridge.ask('s', 'first');
  const healthy = lastResults(world, 1)[0] as Result;
  expect(healthy.is_error ?? false).toBe(false);
  expect(Envelope.parse(JSON.parse(textOf(healthy)))).toMatchObject({
    status: 'healthy',
    data: 'one',
    error: null,
  });

  calls(world, 'second', [
    ['peer_slow', { ms: 700 }],
    ['synthesis_status', {}],
  ]);
  await world.bridge.ask('s', 'second');
  await until('it to be slow', async () => (await statusOf(world)) === 'degraded', 10_000);
  calls(world, 'third', [['peer_echo', { text: 'two' }]]);
  await world.bridge.ask('s', 'third');
  const degraded = lastResults(world, 1)[0] as Result;
  expect(degraded.is_error ?? false).toBe(false);
  expect(Envelope.parse(JSON.parse(textOf(degraded)))).toMatchObject({
    status: 'degraded',
    data: 'two',
    error: { code: 'PROVIDER_DEGRADED', recoverable: true },
  });

  await writeFile(gate, '');
  calls(world, 'fourth', [
    ['peer_exit', {}],
    ['peer_echo', { text: 'three' }],
    ['synthesis_status', {}],
  ]);
  await world.bridge.ask('s', 'fourth');
  const [crashed, unavailable, status] = lastResults(world, 3) as [Result, Result, Result];
  expect([crashed.is_error, unavailable.is_error]).toEqual([true, true]);
  expect(Envelope.parse(JSON.parse(textOf(crashed))).error?.code).toBe('PROVIDER_CRASHED');
  expect(Envelope.parse(JSON.parse(textOf(unavailable)))).toMatchObject({
    status: 'unavailable',
    data: null,
    error: { code: 'PROVIDER_UNAVAILABLE', recoverable: true },
  });
  expect(Envelope.parse(JSON.parse(textOf(status))).data).toMatchObject({
    providers: [{ provider: 'peer', status: expect.stringMatching(/degraded|unavailable/) }],
  });
});
