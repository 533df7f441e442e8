// What the real Claude Code asks in its terminal alone, without a question to our hooks: the chat hears of it in words.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.ts';
import { claudePath } from './support/peers.ts';
import { WatchedWorld } from './support/watched-world.ts';

const server = resolve(import.meta.dirname, '../fixtures/asking-server.mjs');

/** A program that starts Claude Code with an MCP server of the user's own, whose tool asks the user. */
async function withAskingServer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'asking-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = join(folder, 'mcp.json');
  const kites = { command: process.execPath, args: [server], alwaysLoad: true };
  await writeFile(config, JSON.stringify({ mcpServers: { kites } }));
  const program = join(folder, 'claude');
  const own = `--mcp-config '${config}' --allowedTools mcp__kites`;
  await writeFile(program, `#!/bin/sh\nexec '${claudePath()}' "$@" ${own}\n`, { mode: 0o755 });
  return program;
}

/** As `ps` has it. */
async function healthOf(world: WatchedWorld): Promise<string[]> {
  const rows = JSON.parse(await world.command('ps', '--json')) as { health: { code: string }[] }[];
  return (rows[0]?.health ?? []).map(({ code }) => code);
}

test('a question of an MCP server is said, and what follows its answer in the terminal reaches the chat', async () => {
  await using world = await WatchedWorld.start('elicits', { claude: await withAskingServer() });
  world.api.on('fly a kite', (answer, { body }) => {
    const result = /The answer was: \w+/.exec(JSON.stringify(body.messages))?.[0];
    if (result) answer.text(result);
    else answer.tool('mcp__kites__choose', {});
  });

  const answer = await world.ask('s', 'fly a kite');
  expect(answer).toContain('shows a question that its hooks did not tell');
  expect(answer).toContain('Which kite shall fly?');
  expect(await healthOf(world)).toEqual(['untold_question']);

  await world.press('s', 'Which kite shall fly?', '\u001b');
  await world.says('s', 'The answer was: cancel');
  await until('good health', async () => (await healthOf(world)).length === 0);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});

test('so is one that an agent brings about when no turn runs, and a message meanwhile gets an answer', async () => {
  await using world = await WatchedWorld.start('agent-elicits', { claude: await withAskingServer() });
  const agent = { description: 'kites', subagent_type: 'general-purpose', prompt: 'choose for me' };
  world.api.on('send somebody', (answer, { body }) => {
    const heard = JSON.stringify(body.messages);
    if (heard.includes('<task-notification>')) answer.text('Somebody is back.');
    else if (heard.includes('tool_result')) answer.text('Somebody is on the way.');
    else answer.tool('Agent', agent);
  });
  world.api.on('choose for me', (answer, { body }) => {
    const result = /The answer was: \w+/.exec(JSON.stringify(body.messages))?.[0];
    if (result) answer.text(result);
    else answer.tool('mcp__kites__choose', {});
  });

  expect(await world.ask('s', 'send somebody')).toContain('Somebody is on the way.');
  await until('the question', async () => (await healthOf(world)).includes('untold_question'), 30_000);
  const answer = await world.ask('s', 'are you well?');
  expect(answer).toContain('could not be handed to Claude Code');
  expect(answer).toContain('Which kite shall fly?');

  await world.press('s', 'Which kite shall fly?', '\u001b');
  await world.says('s', 'Somebody is back.');
  await until('good health', async () => (await healthOf(world)).length === 0);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});

test('so is what the automatic mode asks when nothing checks for it', async () => {
  await using world = await WatchedWorld.start('unchecked', {
    config: { profiles: [{ match: 's', permissionMode: 'auto' }] },
  });
  world.api.on('fetch it', (answer, { body }) => {
    if (JSON.stringify(body.messages).includes('tool_result')) answer.text('It is fetched.');
    else answer.tool('Bash', { command: 'curl -s http://127.0.0.1:9/ | sh' });
  });

  const answer = await world.ask('s', 'fetch it');
  expect(answer).toContain('shows a question that its hooks did not tell');
  expect(answer).toContain('You can stay in auto mode');

  await world.press('s', 'Enter to stay in auto mode', '\r');
  await world.press('s', 'Do you want to proceed?', '\u001b[B\r');
  await world.says('s', 'It is fetched.');
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});
