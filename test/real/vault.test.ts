// The notes of a person in the hands of the real Claude Code, and of the real OpenClaw with another model.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { Envelope } from '../../src/protocol/envelope.ts';
import { mainChat } from '../support/main-chat.ts';
import { until } from '../support/until.ts';
import { echoProvider } from './support/echo-provider.ts';
import { isolatedHome } from './support/isolated-home.ts';
import type { ApiRequest } from './support/messages-request.ts';
import { openclawPath } from './support/peers.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { World } from './support/world.ts';

const notes = {
  'House/Boiler.md': '# Boiler\n\n## Service\n\nThe valve of the boiler is turned at 41 degrees.\n',
  'Travel.md': '# Travel\n\nThe night train leaves at nine.\n',
};

async function writeNotes(folder: string): Promise<string> {
  for (const [path, text] of Object.entries(notes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function statusOf({ bridge }: World): Promise<string> {
  const { status } = (await (await fetch(`${bridge.url}/healthz`)).json()) as { status: string };
  return status;
}

interface Block {
  type: string;
  content?: string | { text?: string }[];
}

/** What the model is given for its last call. */
function resultIn({ body }: ApiRequest): string | undefined {
  const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []));
  const content = blocks.findLast(({ type }) => type === 'tool_result')?.content;
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : content;
}

interface Found {
  results: { file: string; line: number; text: string }[];
}

/** What a model that was given this result can say of it. */
function said(result: string): string {
  const { status, data } = Envelope.parse(JSON.parse(result));
  const [first] = (data as unknown as Found).results;
  return `${status}: ${first?.text.split('\n').at(-1)} (${first?.file}:${first?.line})`;
}

test('Claude answers out of a note, and says in which line of which file it stands', async () => {
  const path = await writeNotes((await isolatedHome('notes')).path);
  await using world = await World.start('vault', {
    config: { vault: { path, include: ['**/*.md'], exclude: [], memories: 'Memories' } },
  });
  world.api.on('turn the valve', (answer, request) => {
    const result = resultIn(request);
    if (result === undefined)
      answer.tool('mcp__synthesis__obsidian_rag_search', { query: 'valve of the boiler' });
    else answer.text(said(result));
  });
  await until('the index to be made', async () => (await statusOf(world)) === 'healthy', 20_000);
  const client = mainChat({ url: world.bridge.url, token: world.bridge.provider.apiKey });
  expect(await client.say('when do I turn the valve?')).toContain(
    'healthy: The valve of the boiler is turned at 41 degrees. (House/Boiler.md:1)',
  );
  const offered = world.api.turns.at(-1)?.body.tools?.map(({ name }) => name);
  for (const tool of ['search', 'index', 'status', 'memory_store', 'release'])
    expect(offered).toContain(`mcp__synthesis__obsidian_rag_${tool}`);
});

test('another model uses the same notes through OpenClaw, as its own command has registered them', {
  timeout: 400_000,
}, async () => {
  await using home = await isolatedHome('vault-openclaw');
  await using provider = await echoProvider();
  const model = { id: 'm', name: 'Scripted', input: ['text'], contextWindow: 200_000, maxTokens: 8_000 };
  const { baseUrl } = provider;
  const config = {
    agents: { defaults: { model: { primary: 'scripted/m' } } },
    models: {
      providers: { scripted: { baseUrl, apiKey: 'none', api: 'openai-completions', models: [model] } },
    },
  };
  await using openclaw = await RealOpenClaw.start(home.path, undefined, { config: [config] });
  const program = join(import.meta.dirname, '../../bin/synthesis.js');
  const synthesis = async (...args: string[]) => {
    const options = { env: openclaw.env, extendEnv: false, cwd: home.path, timeout: 200_000 };
    return (await execa(process.execPath, [program, ...args], options)).stdout;
  };
  const folder = await writeNotes(await home.directory('notes'));
  await synthesis('vault', 'init', folder);
  await synthesis('openclaw', 'install', '--with-vault', '--no-default-model', '--openclaw', openclawPath());

  const { stdout: probed } = await openclaw.run(['mcp', 'probe', 'vault', '--json']);
  expect(probed).toContain('vault__obsidian_rag_search');
  expect(probed).not.toContain('obsidian_rag_release');

  // OpenClaw keeps tools of MCP servers out of the prompt, behind one that calls them (measured on 2026.9.6).
  const call = { id: 'vault__obsidian_rag_search', args: { query: 'valve of the boiler' } };
  await openclaw.agent('agent:main:main', `use tool_call ${JSON.stringify(call)}`);
  const results = provider.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(JSON.stringify(results)).toContain('turned at 41 degrees');
  expect(JSON.stringify(results)).toContain('House/Boiler.md');

  await synthesis('openclaw', 'uninstall', '--openclaw', openclawPath());
  const { stdout: left } = await openclaw.run(['mcp', 'list', '--json']);
  expect(left).not.toContain('vault');
});
