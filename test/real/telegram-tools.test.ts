// OpenClaw's own tools, run by the real gateway at Claude's request.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { alice, direct, TelegramWorld } from './support/telegram-world.ts';

const main = 'agent:main:main';

let world: TelegramWorld;
beforeAll(async () => {
  world = await TelegramWorld.start('tools', [], {
    config: { policy: [{ tool: 'exec', decision: 'allow' }] },
  });
  await writeFile(join(world.home.path, '.openclaw/workspace/note.txt'), 'from the note');
});
afterAll(() => world?.[Symbol.asyncDispose]());

interface Line {
  message?: { content?: string | { type: string; content?: unknown }[] };
}

/** The tool results that Claude has been given, from its own transcript. */
async function transcript(): Promise<string[]> {
  const projects = join(world.bridge.home.path, '.claude/projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(projects, name), 'utf8')));
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => (JSON.parse(line) as Line).message?.content)
    .flatMap((content) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => String(content));
}

const tool = (name: string, args: object) => `[[tool:${name} ${JSON.stringify(args)}]]`;

test('two calls of one message run side by side, and both results reach Claude', async () => {
  const file = join(world.home.path, '.openclaw/workspace/note.txt');
  const calls = [
    `exec ${JSON.stringify({ command: 'echo from-exec' })}`,
    `read ${JSON.stringify({ path: file })}`,
  ];
  const { text } = await world.ask(`[[tools:${calls.join(';')}]]`, 'read answered');
  expect(text).toContain('exec answered: from-exec');
  expect(text).toContain('read answered: from the note');
});

test('a result of 64,000 characters reaches Claude, marked where OpenClaw cut it', async () => {
  // Telegram takes the long answer in pieces, and where the first one is cut is not ours to say.
  await world.ask(tool('exec', { command: 'printf %070000d 7' }), 'exec answered:');
  const results = await until('the result', async () => {
    const found = (await transcript()).filter((text) => text.startsWith('0000'));
    return found.length > 0 && found;
  });
  expect(results).toHaveLength(1);
  expect(results[0]?.length).toBeGreaterThan(60_000);
  expect(results[0]).toMatch(/truncated|discarded/);
});

test('a tool that fails says so to Claude, and the turn goes on', async () => {
  const { text } = await world.ask(tool('read', { path: '/nowhere/at/all' }), 'read ');
  expect(text).toMatch(/not found/i);
});

test('a tool that OpenClaw only describes is reached through tool_call', async () => {
  const { text } = await world.ask(tool('tool_call', { id: 'session_status', args: {} }), 'tool_call ');
  expect(text).toContain('tool_call answered:');
});

test('a turn that was stopped during a tool is not heard of again', async () => {
  const started = join(world.home.path, '.openclaw/workspace/started');
  world.telegram.write(direct, alice, tool('exec', { command: `touch ${started}; sleep 8; echo late` }));
  await until('the tool', () => existsSync(started), 60_000);
  const mark = world.telegram.mark;
  world.telegram.write(direct, alice, '/stop');
  await world.telegram.answer(direct, /abort/i, mark);
  const { text } = await world.ask('next thing', 'next thing');
  expect(text).toContain('was stopped');
  expect(world.said(direct, mark)).not.toMatch(/late|missing tool result/);
  await world.reaches(main, 'idle');
});
