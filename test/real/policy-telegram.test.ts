// Two people of a Telegram group have to say yes, through the real OpenClaw.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alice, bob, group, TelegramWorld } from './support/telegram-world.ts';

test('a quorum of two needs two people of the group, each of whom counts once, and one no is enough', async () => {
  const people = [alice, bob].map(({ id }) => `telegram:${id}`);
  const policy = [{ tool: 'exec', decision: { quorum: 2 } }];
  await using world = await TelegramWorld.start('quorum', [], { config: { approvers: people, policy } });
  const { telegram } = world;
  const asked = async (file: string) => {
    const mark = telegram.mark;
    telegram.write(group, bob, `[[tool:exec {"command":"touch ${file}"}]]`);
    const { text } = await telegram.answer(group, '2 different people have to say yes', mark);
    return /yes ([a-km-z]{5})/.exec(text)?.[1] ?? '';
  };
  const say = async (who: typeof alice, text: string, expected: string | RegExp) => {
    const mark = telegram.mark;
    telegram.write(group, who, text);
    return telegram.answer(group, expected, mark);
  };

  const first = join(world.home.path, 'first');
  const code = await asked(first);
  await say(bob, `yes ${code}`, '1 of 2');
  await say(bob, `yes ${code}`, 'You have said yes before');
  expect(existsSync(first)).toBe(false);
  await say(alice, `yes ${code}`, 'exec answered');
  expect(existsSync(first)).toBe(true);

  const second = join(world.home.path, 'second');
  const other = await asked(second);
  await say(alice, `yes ${other}`, '1 of 2');
  await say(bob, `no ${other} not now`, /not now/);
  expect(existsSync(second)).toBe(false);
});
