// A background task of the real Claude Code ends, and what Claude says about it arrives in the real OpenClaw's Telegram.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import type { Chat } from './support/bot-api.ts';
import type { KnownGateway } from './support/known-gateway.ts';
import type { MessagesApi } from './support/messages-api.ts';
import { alice, anyGateway, bob, direct, group, TelegramWorld } from './support/telegram-world.ts';
import { World } from './support/world.ts';

const keyOf = { direct: 'agent:main:main', group: `agent:main:telegram:group:${group.id}` };
const head = 'about a background task';

/** `start <name>` runs a command in the background, which ends once there is a file of that name. */
function builds(api: MessagesApi): void {
  api.on(
    () => true,
    (answer, { body, toolResults, newest }) => {
      const all = JSON.stringify(body.messages);
      const [, name = ''] = /start (\w+)/.exec(newest) ?? [];
      const told =
        all.lastIndexOf('<task-notification>') > Math.max(...asking.map((words) => all.lastIndexOf(words)));
      if (toolResults.length > 0) answer.text('It runs.');
      else if (told) answer.text(`The build of ${/start (\w+)/.exec(all)?.[1]} is done.`);
      else if (name === '') answer.text('Quite well.');
      else answer.tool('Bash', { command: waitFor(name), description: 'Build it', run_in_background: true });
    },
  );
}
const asking = ['start ', 'how are you'];
const waitFor = (name: string) => `until [ -e ${name} ]; do sleep 0.1; done`;

async function machine(name: string, gateway?: KnownGateway): Promise<World> {
  const world = await World.start(name, gateway ? { gateway } : {});
  builds(world.api);
  const settings = join(await world.home.directory('.claude'), 'settings.json');
  await writeFile(settings, JSON.stringify({ permissions: { allow: ['Bash'] } }));
  return world;
}

const finish = (world: World, name: string) => writeFile(join(world.cwd, name), '');
const times = (world: TelegramWorld, chat: Chat, words: string) =>
  world.said(chat, 0).split(words).length - 1;

/** Waits until Claude has said what it has to say without being asked. */
const spoken = (world: TelegramWorld, key: string) =>
  until(
    'the end of the turn that Claude began',
    async () => {
      const { turns } = JSON.parse(await world.bridge.bridge.command('inspect', key, '--json')) as {
        turns: { origin: string | null; phase: string }[];
      };
      return turns.some(({ origin, phase }) => origin === 'task' && phase === 'completed');
    },
    30_000,
  );

test('through the gateway it comes at once, to the chat that began it and to no other, once', async () => {
  const gateway = await anyGateway();
  await using behind = await machine('first', gateway);
  await using world = await TelegramWorld.start('first', [], { behind, gateway });
  await world.ask('start private', 'It runs.');
  world.telegram.write(group, bob, 'start shared');
  await world.telegram.answer(group, 'It runs.');

  const mark = world.telegram.mark;
  await finish(behind, 'shared');
  const shared = await world.telegram.answer(group, 'The build of shared is done.', mark);
  expect(shared.text).toContain(head);
  await finish(behind, 'private');
  const mine = await world.telegram.answer(direct, 'The build of private is done.', mark);
  expect(mine.text).toContain(head);

  await world.reaches(keyOf.direct, 'idle');
  expect((await world.ask('how are you', 'Quite well.')).text).not.toContain('is done');
  const before = world.telegram.mark;
  world.telegram.write(group, alice, 'how are you');
  expect((await world.telegram.answer(group, 'Quite well.', before)).text).not.toContain('is done');
  for (const chat of [direct, group]) expect(times(world, chat, 'is done.')).toBe(1);
  expect(world.said(direct, 0)).not.toContain('shared');
});

test('without a gateway it comes with the next answer, once, and not with one of another chat', async () => {
  await using behind = await machine('later');
  await using world = await TelegramWorld.start('later', [], { behind });
  await world.ask('start private', 'It runs.');
  await finish(behind, 'private');
  await spoken(world, keyOf.direct);
  world.telegram.write(group, bob, 'how are you');
  expect((await world.telegram.answer(group, 'Quite well.')).text).not.toContain('is done');
  const { text } = await world.ask('how are you', 'Quite well.');
  expect(text).toContain(head);
  expect(text.indexOf('The build of private is done.')).toBeLessThan(text.indexOf('Quite well.'));
  expect((await world.ask('how are you', 'Quite well.')).text).not.toContain('is done');
  expect(times(world, direct, 'is done.')).toBe(1);
});
