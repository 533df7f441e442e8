// A user who lets sessions work in the home, with the bridge's state folder in it: what the real Claude Code still refuses.
import { symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateDirOf } from './support/bridge.ts';
import { World } from './support/world.ts';

let world: World;
let state: string;
let token: string;

beforeAll(async () => {
  world = await World.start('own-files', { cwd: '.' });
  state = stateDirOf(world.home.path);
  token = (await readFile(join(state, 'token'), 'utf8')).trim();
  symlinkSync(join(state, 'token'), join(world.cwd, 'innocent.txt'));
});
afterAll(() => world[Symbol.asyncDispose]());

let uses = 0;

/** Lets the model use one tool. @returns what it was told of it, and what the chat read */
async function use(tool: string, input: unknown): Promise<{ told: string; said: string }> {
  let told = '';
  world.api.on(
    () => true,
    (answer, { toolResults, body }) => {
      if (toolResults.length === 0) return answer.tool(tool, input);
      told = JSON.stringify(body.messages.at(-1));
      answer.text('done');
    },
  );
  uses += 1;
  return { said: await world.bridge.ask('home', `use ${uses}: ${tool}`), told };
}

test.each([
  ['Read', 'token', (path: string) => ({ file_path: path })],
  ['Read', '../innocent.txt', (path: string) => ({ file_path: path })],
  ['Read', 'journal.db', (path: string) => ({ file_path: path })],
  ['Read', 'bridge.json', (path: string) => ({ file_path: path })],
  ['Write', 'token', (path: string) => ({ file_path: path, content: 'mine' })],
  ['Bash', 'token', (path: string) => ({ command: `cat ${path}`, description: 'look' })],
  ['Bash', '../innocent.txt', (path: string) => ({ command: `head -c 99 ${path}`, description: 'look' })],
] as const)('%s of %s is refused, and nobody is asked', async (tool, name, input) => {
  const { told, said } = await use(tool, input(join(state, name)));
  expect(said).toBe('done');
  expect(told).toMatch(/denied/);
  expect(told).not.toContain(token);
  expect(await readFile(join(state, 'token'), 'utf8')).toContain(token);
});
