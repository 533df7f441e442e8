// Pictures that come with messages, which lie outside of the folder that Claude works in, with the real Claude Code.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start('media');
});
afterAll(() => world[Symbol.asyncDispose]());

const url =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Sends a picture. @returns where Claude is told that it lies */
async function send(session: string): Promise<string> {
  world.api.on(
    () => true,
    (answer) => answer.text('seen'),
  );
  await world.bridge.openai.chat.completions.create(
    { model: 'claude', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
    { headers: { 'x-synthesis-session': session } },
  );
  return /\[image attached: (\S+)/.exec(world.api.turns.at(-1)?.newest ?? '')?.[1] ?? '';
}

/** Lets the model look at a file. @returns what it was told of it, and what the chat read */
async function look(session: string, file: string): Promise<{ told: string; said: string }> {
  let told = '';
  world.api.on(
    () => true,
    (answer, { toolResults, body }) => {
      if (toolResults.length === 0) return answer.tool('Read', { file_path: file });
      told = JSON.stringify(body.messages.at(-1));
      answer.text('done');
    },
  );
  return { said: await world.bridge.ask(session, `look at ${file}`), told };
}

test('Claude looks at those of its own conversation unasked, and asks about those of another', async () => {
  const mine = await send('mine');
  const other = await send('other');
  expect([mine, other].every((path) => path.startsWith(join(world.stateDir, 'media')))).toBe(true);
  expect(await look('mine', mine)).toEqual({ said: 'done', told: expect.stringContaining('"type":"image"') });
  const { said, told } = await look('mine', other);
  expect([told, said]).toEqual(['', expect.stringContaining('Claude asks for permission to use **Read**')]);
});
