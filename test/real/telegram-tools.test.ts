// OpenClaw's own tools, run by the real gateway at Claude's request; and connections between the gateway and the bridge that
// break meanwhile: OpenClaw retries by itself, and nobody in the chats is answered twice or not at all.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../support/flaky-proxy.ts';
import { until } from '../support/until.ts';
import type { Chat } from './support/bot-api.ts';
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
  type?: string;
  message?: { content?: string | { type: string; content?: unknown }[] };
}

/** Claude's own transcripts. */
async function lines(): Promise<Line[]> {
  const projects = join(world.bridge.home.path, '.claude/projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(projects, name), 'utf8')));
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as Line);
}

/** The tool results that Claude has been given. */
const results = async (): Promise<string[]> =>
  (await lines())
    .map(({ message }) => message?.content)
    .flatMap((content) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => String(content));

/** What Claude was told. */
const prompts = async (): Promise<string[]> =>
  (await lines())
    .filter(({ type, message }) => type === 'user' && typeof message?.content === 'string')
    .map(({ message }) => String(message?.content));

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
  const given = await until('the result', async () => {
    const found = (await results()).filter((text) => text.startsWith('0000'));
    return found.length > 0 && found;
  });
  expect(given).toHaveLength(1);
  expect(given[0]?.length).toBeGreaterThan(60_000);
  expect(given[0]).toMatch(/truncated|discarded/);
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

/**
 * A turn's first request and the one behind its tool call break, in another way in each room and each time. The request
 * after a broken one is left alone: OpenClaw's pauses double with each failure of a turn. Only the first message of a
 * room arrives whole, so that what is measured against the bridge's patience is not the start of Claude.
 */
const faults: Fault[] = [
  { kind: 'reset', afterBytes: 300, provider: 'abort' },
  { kind: 'half', afterBytes: 120 },
  { kind: 'refused' },
  { kind: 'reset', afterBytes: 40, provider: 'drain' },
  { kind: 'status', status: 503 },
  { kind: 'reset', afterBytes: 0, provider: 'abort' },
  { kind: 'half', afterBytes: 450 },
  { kind: 'reset', afterBytes: 420, provider: 'drain' },
  { kind: 'slow', ms: 300 },
];

const rooms = Array.from(
  { length: 4 },
  (_, at): Chat => ({ id: -100_800 - at, type: 'supergroup', title: `Room ${at}` }),
);

test('every other request of a room breaks, and each message is prompted once and answered once', async () => {
  const requests = new Map<number, number>();
  world.proxy.plan = (body) => {
    const room = rooms.findIndex(({ id }) => body.includes(`session=agent:main:telegram:group:${id} `));
    if (room < 0) return { kind: 'none' };
    const count = requests.get(room) ?? 0;
    requests.set(room, count + 1);
    const fault = faults[(room * 4 + (count - 1) / 2) % faults.length];
    return (count % 2 === 1 && fault) || { kind: 'none' };
  };
  const words: string[] = [];
  const converse = async (chat: Chat, room: number) => {
    for (let at = 0; at < 4; at += 1) {
      const word = `w${room}x${at}w`;
      words.push(word);
      const tool = at % 2 === 0 ? '' : `[[tool:exec {"command":"echo ran-${word}"}]]`;
      const mark = world.telegram.mark;
      world.telegram.write(chat, alice, `[[say:Looking.]]${tool}[[say:The answer is ${word}.]]`);
      await world.telegram.answer(chat, `The answer is ${word}.`, mark, 120_000);
    }
  };
  await Promise.all(rooms.map(converse));
  world.proxy.plan = () => ({ kind: 'none' });

  expect(world.proxy.struck()).toBeGreaterThanOrEqual(15);
  const told = await prompts();
  const prompted = words.map((word) => told.filter((text) => text.includes(`The answer is ${word}.`)).length);
  expect(prompted).toEqual(words.map(() => 1));
  const shown = rooms.map((chat) => world.said(chat, 0)).join('\n');
  const answered = words.map((word) => shown.split(`The answer is ${word}.`).length - 1);
  expect(answered).toEqual(words.map(() => 1));
  expect(shown).not.toContain('⚠️');
});
