// Connections between the real gateway and the bridge that break: OpenClaw retries by itself, and nobody in the chats is
// answered twice or not at all.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../support/flaky-proxy.ts';
import type { Chat } from './support/bot-api.ts';
import { alice, TelegramWorld } from './support/telegram-world.ts';

let world: TelegramWorld;
beforeAll(async () => {
  world = await TelegramWorld.start('failures', [], {
    config: { policy: [{ tool: 'exec', decision: 'allow' }] },
  });
  // The gateway loads most of itself at its first message.
  await world.ask('hello', 'hello');
});
afterAll(() => world?.[Symbol.asyncDispose]());

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

/** What Claude was told, from its own transcripts. */
async function prompts(): Promise<string[]> {
  const projects = join(world.bridge.home.path, '.claude/projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(projects, name), 'utf8')));
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => JSON.parse(line) as { type?: string; message?: { content?: unknown } })
    .filter(({ type, message }) => type === 'user' && typeof message?.content === 'string')
    .map(({ message }) => String(message?.content));
}

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
