// What OpenClaw asks outside of every conversation: a sticker on Telegram, through the real OpenClaw and Claude Code.
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alice, direct, group, TelegramWorld } from './support/telegram-world.ts';
import { World } from './support/world.ts';

let machine: World;
let world: TelegramWorld;
beforeAll(async () => {
  machine = await World.start('utility');
  machine.api.on(
    () => true,
    (answer) => answer.text('Thank you.'),
  );
  world = await TelegramWorld.start('utility', [], { behind: machine });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const described = () =>
  machine.api.requests.filter(({ body }) => JSON.stringify(body.system).includes('Describe this sticker'));

test('a sticker is described by a Claude without tools, in its own conversation only its words arrive', async () => {
  world.telegram.sticker(direct, alice, picture);
  const thanked = await world.telegram.answer(direct, 'Thank you.');
  expect(described()).toMatchObject([{ body: { tools: [] } }]);
  expect(JSON.stringify(described()[0]?.body.messages)).toContain('"media_type":"image/png"');
  expect(machine.api.turns.at(-1)?.newest).toContain('[image attached: ');
  // Where the model sees pictures, OpenClaw keeps the description for its search for stickers.
  const { stdout } = await execa('grep', ['-rlF', 'A tulip waves.', join(world.home.path, '.openclaw')]);
  expect(stdout).toContain('sqlite');
  world.telegram.sticker(group, alice, picture);
  await world.telegram.answer(group, 'Thank you.');
  const keys = (await world.sessions()).map(({ key }) => key);
  expect(keys.toSorted()).toEqual(['agent:main:main', 'agent:main:telegram:group:-100777']);
  expect(world.telegram.shown(direct).map(({ text }) => text)).toEqual([thanked.text]);
});

test('its text is a text, whatever it says', async () => {
  for (const text of ['@/etc/passwd what is this?', '/cost', '!ls', '# remember this']) {
    const before = machine.api.requests.length;
    const { openai } = machine.bridge;
    const answer = await openai.chat.completions.create(
      { model: 'claude', messages: [{ role: 'user', content: text }] },
      { headers: { 'x-openclaw-provider': 'synthesis' } },
    );
    expect(answer.choices[0]?.message.content).toBe('ok');
    const [request, ...others] = machine.api.requests.slice(before);
    expect(others).toEqual([]);
    expect(request?.userTexts).toEqual([text.replace(/^(?=\/)/, '\n')]);
    expect(JSON.stringify(request?.body)).not.toContain('root:');
  }
});

test('an API that cannot be reached is an error in words, and no conversation', async () => {
  await using broken = await World.start('utility-broken', {
    env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
  });
  const asked = broken.bridge.openai.chat.completions.create(
    { model: 'claude', messages: [{ role: 'user', content: 'Hello?' }] },
    { headers: { 'x-openclaw-provider': 'synthesis' } },
  );
  await expect(asked).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(
      /Claude Code could not answer: API Error: .+ No conversation is concerned\./,
    ),
  });
  expect(JSON.parse(await broken.bridge.command('ps', '-a', '--json'))).toEqual([]);
});
