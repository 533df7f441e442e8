// What Telegram shows of long tool work: the real Claude Code behind the real OpenClaw, which shows text as it grows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alice, direct, TelegramWorld } from './support/telegram-world.ts';
import { World } from './support/world.ts';

let machine: World;
let world: TelegramWorld;
beforeAll(async () => {
  const config = { progress: 'full', permissionMode: 'bypassPermissions' };
  machine = await World.start('progress', { config });
  const streaming = { mode: 'partial', told: true };
  world = await TelegramWorld.start('progress', [], { behind: machine, streaming });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

test('a tool that takes long is shown while it runs, and how long it took when it is over', async () => {
  machine.api.on('wait for it', (answer, { toolResults }) => {
    if (toolResults.length > 0) return answer.text('It is over.');
    answer.tool('Bash', { command: 'sleep 14; echo slept', description: 'Wait until somebody has come' });
  });
  const before = world.telegram.mark;
  world.telegram.write(direct, alice, 'wait for it');
  const running = /^\(running Bash "Wait until somebody has come"\)$/;
  await world.telegram.answer(direct, running, before);
  const { text } = await world.telegram.answer(direct, 'It is over.', before);
  expect(text).toMatch(
    /^\(running Bash "Wait until somebody has come"\)\s+\(ran Bash "Wait until somebody has come", 1[3-9] s\)\s+It is over\.$/,
  );
});
