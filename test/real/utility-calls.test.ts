// What OpenClaw asks outside of every conversation, of the real Claude Code. Its stickers are in telegram-messages.test.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from './support/world.ts';

let machine: World;
beforeAll(async () => {
  machine = await World.start('utility');
});
afterAll(() => machine?.[Symbol.asyncDispose]());

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

test('it knows nothing of what you have Claude Code remember', async () => {
  const memory = await machine.home.directory('memory');
  await writeFile(join(memory, 'MEMORY.md'), '- KNOWN TO THE OPERATOR\n');
  const claude = await machine.home.directory('.claude');
  await writeFile(join(claude, 'settings.json'), JSON.stringify({ autoMemoryDirectory: memory }));
  await machine.bridge.openai.chat.completions.create(
    { model: 'claude', messages: [{ role: 'user', content: 'What do you know?' }] },
    { headers: { 'x-openclaw-provider': 'synthesis' } },
  );
  expect(JSON.stringify(machine.api.requests.at(-1)?.body)).not.toContain('KNOWN TO THE OPERATOR');
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
