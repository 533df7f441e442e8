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
  world = await TelegramWorld.start('failures');
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** One after the other, whatever conversation comes next. The eleventh request after a fault is left alone. */
const faults: Fault[] = [
  { kind: 'refused' },
  { kind: 'half', afterBytes: 120 },
  { kind: 'reset', afterBytes: 300, provider: 'abort' },
  { kind: 'reset', afterBytes: 40, provider: 'drain' },
  { kind: 'status', status: 503 },
  { kind: 'slow', ms: 300 },
  { kind: 'reset', afterBytes: 0, provider: 'abort' },
  { kind: 'half', afterBytes: 450 },
  { kind: 'reset', afterBytes: 420, provider: 'drain' },
];

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

test('every other request breaks, and each message is prompted once and answered once', async () => {
  let requests = 0;
  world.proxy.plan = () => {
    requests += 1;
    return requests % 2 === 0
      ? { kind: 'none' }
      : (faults[((requests - 1) / 2) % faults.length] ?? { kind: 'none' });
  };
  const chats = Array.from(
    { length: 5 },
    (_, at): Chat => ({ id: -100_800 - at, type: 'supergroup', title: `Room ${at}` }),
  );
  const words: string[] = [];
  const converse = async (chat: Chat, room: number) => {
    for (let at = 0; at < 5; at += 1) {
      const word = `w${room}x${at}w`;
      words.push(word);
      const tool = at % 2 === 0 ? '' : `[[tool:exec {"command":"echo ran-${word}"}]]`;
      const mark = world.telegram.mark;
      world.telegram.write(chat, alice, `[[say:Looking.]]${tool}[[say:The answer is ${word}.]]`);
      await world.telegram.answer(chat, `The answer is ${word}.`, mark, 100_000);
    }
  };
  await Promise.all(chats.map(converse));
  world.proxy.plan = () => ({ kind: 'none' });

  console.log(world.proxy.struck, world.proxy.seen.length);
  expect(world.proxy.struck).toBeGreaterThanOrEqual(20);
  const told = await prompts();
  const prompted = words.map((word) => told.filter((text) => text.includes(`The answer is ${word}.`)).length);
  expect(prompted).toEqual(words.map(() => 1));
  const shown = chats.map((chat) => world.said(chat, 0)).join('\n');
  const answered = words.map((word) => shown.split(`The answer is ${word}.`).length - 1);
  expect(answered).toEqual(words.map(() => 1));
  expect(shown).not.toContain('⚠️');
});
