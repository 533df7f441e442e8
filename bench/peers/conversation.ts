// One conversation of a person with a side: its first message, the next one, and what it holds then.
import { setTimeout as pause } from 'node:timers/promises';
import type { Chat } from '../../test/real/support/bot-api.ts';
import { alice } from '../../test/real/support/telegram-world.ts';
import { until } from '../../test/support/until.ts';
import { answerQuestions, begin, lines, question } from './model.ts';
import { treeBytes } from './process-tree.ts';
import { screenTimes } from './screen-times.ts';
import type { TelegramSide } from './telegram-side.ts';

/** An answer takes so long at most, milliseconds. */
const patienceMs = 120_000;
/** Until all is done that follows an answer: people read before they write. */
const readMs = 3_000;

/** Milliseconds since the person wrote. */
export interface Turn {
  request: number;
  first: number;
  whole: number;
}

export interface Conversation {
  cold: Turn;
  warm: Turn;
  /** Of all of its processes, each page shared among those that have it. */
  bytes: number;
}

/** @returns one round: a conversation in a group of its own */
export function conversations(side: TelegramSide): () => Promise<Conversation> {
  const asked = answerQuestions(side.api);
  let round = 0;
  const turn = async (chat: Chat, name: string): Promise<Turn> => {
    const from = performance.now();
    side.telegram.write(chat, alice, question(name));
    const answer = { begin: begin(name), lines: lines(name) };
    const seen = () => screenTimes(side.telegram.editions, chat.id, answer);
    await until(`all of answer ${name} on the screen`, () => seen().whole, patienceMs);
    const { first = Number.NaN, whole = Number.NaN } = seen();
    const request = asked.get(name)?.at ?? Number.NaN;
    await pause(readMs);
    return { request: request - from, first: first - from, whole: whole - from };
  };
  return async () => {
    round += 1;
    const chat: Chat = { id: -100_000 - round, type: 'supergroup', title: `Round ${round}` };
    const cold = await turn(chat, `${round}a`);
    const warm = await turn(chat, `${round}b`);
    const root = await side.root(asked.get(`${round}b`)?.session ?? '');
    return { cold, warm, bytes: treeBytes(root) };
  };
}
