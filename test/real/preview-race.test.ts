// A chat that shows answers while they grow, and messages that come while one is written: every answer stays, on the
// real OpenClaw with Telegram. The simulated Claude Code writes at the paces that lost them (2026.9.6).
import { afterEach, expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { until } from '../support/until.ts';
import { alice, type direct, type SessionRow, TelegramWorld } from './support/telegram-world.ts';

let world: TelegramWorld | undefined;
let operator: OperatorSocket | undefined;
afterEach(async () => {
  await operator?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** A chat of its own for each try. */
const garden = (at: number): typeof direct => ({
  id: -100800 - at,
  type: 'supergroup',
  title: `Garden ${at}`,
});

/** Milliseconds that Claude thinks before the second answer. */
const pauses = [60, 150, 250, 350, 450, 550, 650, 750, 850, 900];

/** OpenClaw shows nothing of fewer than 30 characters. */
const long = 'This is about the tulips behind the house.';

async function interleave(
  { telegram }: TelegramWorld,
  mode: string,
  pause: number,
  at: number,
): Promise<void> {
  const chat = garden(at);
  const before = telegram.mark;
  telegram.write(chat, alice, `[[say:${long}|The first]] [[wait:5000]] [[say:ends.]]`);
  // Where nothing grows, typing is all that is seen of it.
  if (mode === 'partial' || mode === 'block') await telegram.answer(chat, long, before);
  else await until('Claude to write', () => isWorking(chat), 60_000);
  telegram.write(chat, alice, `[[wait:${pause}]] [[say:${long}|The second ends.]]`);
}

/** Asked over the socket: a program for each look of five chats would keep both processors from what is waited for. */
async function isWorking({ id }: typeof direct): Promise<boolean> {
  const rows = await operator?.call<SessionRow[]>('session.list');
  return rows?.some(({ key, state }) => key.endsWith(String(id)) && state === 'working') ?? false;
}

test.each(['partial', 'block', 'progress', 'off'])(
  'none of two answers in a row is lost with streaming.mode %s',
  async (mode) => {
    world = await TelegramWorld.start('preview', [], { streaming: { mode, told: false } });
    operator = await OperatorSocket.open(world.bridge.stateDir);
    const { telegram } = world;
    for (let at = 0; at < pauses.length; at += 5) {
      const five = pauses
        .slice(at, at + 5)
        .map((pause, each) => interleave(world as TelegramWorld, mode, pause, at + each));
      await Promise.all(five);
      await telegram.quiet();
    }
    const shown = pauses.map((_, at) =>
      telegram
        .shown(garden(at))
        .map(({ text }) => text.replaceAll(`${long}\n`, ''))
        .join(' | '),
    );
    expect(shown).toEqual(pauses.map(() => 'The first\nends. | The second ends.'));
  },
  400_000,
);
