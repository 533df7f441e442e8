// A chat that shows answers while they grow, and messages that come while one is written: every answer stays, on the
// real OpenClaw with Telegram. The simulated Claude Code writes at the paces that lost them (2026.9.6).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { until } from '../support/until.ts';
import { BotApi } from './support/bot-api.ts';
import { alice, type direct, type SessionRow, TelegramWorld } from './support/telegram-world.ts';

const modes = ['partial', 'block', 'progress', 'off'];

/** One gateway with a bot for each mode: a gateway takes longer to start than all the answers of a mode. */
let world: TelegramWorld;
let operator: OperatorSocket;
const bots = new Map<string, BotApi>();
beforeAll(async () => {
  for (const mode of modes) bots.set(mode, await BotApi.start());
  const accounts = Object.fromEntries(
    [...bots].map(([mode, { account }]) => [mode, { ...account, streaming: { mode } }]),
  );
  const bindings = modes.map((accountId) => ({ agentId: 'main', match: { channel: 'telegram', accountId } }));
  const settings = { channels: { telegram: { accounts, defaultAccount: modes[0] } }, bindings };
  world = await TelegramWorld.start('preview', [settings], {
    streaming: { mode: 'off', told: false },
    // Alice writes eighty times within some two minutes.
    config: { limits: { messagesPerMinute: 200 } },
  });
  operator = await OperatorSocket.open(world.bridge.stateDir);
});
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
  for (const bot of bots.values()) await bot[Symbol.asyncDispose]();
});

/** Milliseconds that Claude thinks before the second answer. */
const pauses = [60, 150, 250, 350, 450, 550, 650, 750, 850, 900];

/** So many chats at a time; each goes on with the next pause as soon as it has its second answer. */
const lanes = 5;

/** A chat of its own for each try. */
const garden = (mode: string, at: number): typeof direct => ({
  id: -100_800 - modes.indexOf(mode) * pauses.length - at,
  type: 'supergroup',
  title: `Garden ${mode} ${at}`,
});

/** OpenClaw shows nothing of fewer than 30 characters. */
const long = 'This is about the tulips behind the house.';

async function interleave(telegram: BotApi, mode: string, at: number): Promise<void> {
  const chat = garden(mode, at);
  const before = telegram.mark;
  telegram.write(chat, alice, `[[say:${long}|The first]] [[wait:5000]] [[say:ends.]]`);
  // Where nothing grows, typing is all that is seen of it.
  if (mode === 'partial' || mode === 'block') await telegram.answer(chat, long, before);
  else await until('Claude to write', () => isWorking(chat), 60_000);
  telegram.write(chat, alice, `[[wait:${pauses[at]}]] [[say:${long}|The second ends.]]`);
  await telegram.answer(chat, 'The second ends.', before);
}

/** Asked over the socket: a program for each look of five chats would keep both processors from what is waited for. */
async function isWorking({ id }: typeof direct): Promise<boolean> {
  const rows = await operator.call<SessionRow[]>('session.list');
  return rows.some(({ key, state }) => key.endsWith(String(id)) && state === 'working');
}

test.each(modes)(
  'none of two answers in a row is lost with streaming.mode %s',
  async (mode) => {
    const telegram = bots.get(mode) as BotApi;
    const lane = async (first: number) => {
      for (let at = first; at < pauses.length; at += lanes) await interleave(telegram, mode, at);
    };
    await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
    // What is lost is deleted behind the second answer.
    await telegram.quiet();
    const shown = pauses.map((_, at) =>
      telegram
        .shown(garden(mode, at))
        .map(({ text }) => text.replaceAll(`${long}\n`, ''))
        .join(' | '),
    );
    expect(shown).toEqual(pauses.map(() => 'The first\nends. | The second ends.'));
  },
  400_000,
);
