// Programs that people have, talking to the real Claude Code through the bridge with nothing but its address and token. Calls
// that wait for minutes run beside them, in the same bridge.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longCalls, longCallsConfig } from './support/long-calls.ts';
import { cleanEnv, codexPath } from './support/peers.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

let world: World;

const policy = ['weather', 'exec_command'].map((tool) => ({ tool, decision: 'allow' }));

beforeAll(async () => {
  const config = { ...longCallsConfig, policy: [...policy, ...longCallsConfig.policy] };
  world = await World.start('clients', { config });
  const { api } = world;
  usesTools(api);
  api.on('the word is', (answer) => answer.text('I keep it in mind.'));
  api.on('which word', (answer, { userTexts }) => {
    answer.text(`It was ${/the word is (\w+)/.exec(userTexts.join('\n'))?.[1] ?? 'never said'}.`);
  });
  api.on('count for', (answer) => answer.text('one\ntwo\nthree\n'));
  api.on('use the weather', (answer, { toolResults, last }) => {
    if (toolResults.length === 0) answer.tool('mcp__synthesis__weather', { city: 'Rome' });
    else answer.text(`They say: ${JSON.stringify(last)}.`);
  });
  api.on('use the shell', (answer, { toolResults, last }) => {
    if (toolResults.length === 0)
      answer.tool('mcp__synthesis__exec_command', { cmd: 'echo sun $((40 + 2))' });
    else answer.text(`They say: ${JSON.stringify(last)}.`);
  });
  api.on('fail for', (answer) => answer.fail(400, 'invalid_request_error', 'the service says no'));
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What a client printed at its end. */
async function talkOf(program: string): Promise<Record<string, unknown>> {
  const { baseUrl, apiKey } = world.bridge.provider;
  const { stdout } = await execa(
    process.execPath,
    [resolve(import.meta.dirname, 'clients', `${program}.js`)],
    {
      env: cleanEnv(world.home.path, { BASE_URL: baseUrl, API_KEY: apiKey }),
      extendEnv: false,
      timeout: 150_000,
    },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** One command line of Codex. @returns its last message, and what it printed besides */
async function codex(...args: string[]): Promise<{ said: string; besides: string }> {
  const nowhere = 'http://127.0.0.1:9';
  const { stdout, stderr } = await execa(codexPath(), ['exec', ...args], {
    env: cleanEnv(world.home.path, {
      SYNTHESIS_TOKEN: world.bridge.provider.apiKey,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1',
    }),
    extendEnv: false,
    cwd: world.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
  });
  return { said: stdout.trim(), besides: stderr };
}

describe.concurrent('what comes after more than two minutes reaches Claude', () => longCalls(() => world));

/** One of these at a time, beside the long calls. */
const alone = { concurrent: false };

describe.concurrent('one after the other', () => {
  test.each([
    ['the AI SDK on responses', 'ai-sdk', 'aisdk', ['Rome']],
    ['the AI SDK on chat completions', 'ai-sdk-compatible', 'aicompatible', ['Rome']],
    ['LangChain on chat completions', 'langchain', 'langchain', ['Rome']],
    ['LangChain on responses', 'langchain-responses', 'langresponses', ['Rome']],
    ['the OpenAI Agents SDK', 'openai-agents', 'agents', ['Rome', 'Rome']],
  ])('%s remembers, streams, runs a tool and shows errors in words', alone, async (_, program, word, ran) => {
    const talk = await talkOf(program);
    expect(talk).toMatchObject({ first: 'I keep it in mind.', second: `It was ${word}.`, ran });
    expect((talk.chunks as string[]).join('').trimEnd()).toBe('one\ntwo\nthree');
    expect(talk.asked).toContain('sunny in Rome');
    expect(talk.failed).toContain('the service says no');
    expect(talk.refused).toContain('Models here: claude.');
  });

  test('Codex remembers, runs its shell and shows errors in words', alone, async () => {
    const config = `
model = "claude"
model_provider = "synthesis"
check_for_update_on_startup = false

[model_providers.synthesis]
name = "synthesis"
base_url = "${world.bridge.provider.baseUrl}"
env_key = "SYNTHESIS_TOKEN"
wire_api = "responses"

[analytics]
enabled = false
`;
    await writeFile(join(await world.home.directory('.codex'), 'config.toml'), config);
    const begin = ['--skip-git-repo-check', '--sandbox', 'danger-full-access'];
    expect((await codex(...begin, 'the word is codex')).said).toBe('I keep it in mind.');
    expect((await codex('resume', '--skip-git-repo-check', '--last', 'which word?')).said).toBe(
      'It was codex.',
    );
    expect((await codex(...begin, 'use the shell')).said).toMatch(/They say: .*sun 42/);
    expect((await codex(...begin, 'fail for codex')).said).toContain('the service says no');
    expect((await codex(...begin, '-m', 'gpt', 'hi')).besides).toContain('Models here: claude.');
  });
});
