// Hooks and settings of the user's own, in the real Claude Code.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WatchedWorld } from './support/watched-world.ts';

const settingsOf = async ({ home }: WatchedWorld): Promise<string> =>
  join(await home.directory('.claude'), 'settings.json');

test('a hook that refuses a message is told in its words, and nothing of it stays in the box', async () => {
  await using world = await WatchedWorld.start('refused');
  const command = "if grep -q ladder; then echo 'No ladders.' >&2; echo 'Nor hammers.' >&2; exit 2; fi";
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
  await writeFile(await settingsOf(world), JSON.stringify({ hooks }));

  for (const message of ['paint the ladder', 'and now\nthe ladder again']) {
    const answer = await world.ask('s', message);
    expect(answer).toContain("A hook on the bridge's machine refused this message.");
    expect(answer).toContain('`No ladders. Nor hammers.`');
  }
  expect(await world.ask('s', 'are you well?')).toContain('are you well?');
  expect(world.api.turns.map(({ newest }) => newest)).toEqual([expect.not.stringContaining('ladder')]);
  expect(world.events('s', 'turn.settled').map(({ code }) => code)).toEqual([
    'prompt_blocked',
    'prompt_blocked',
    undefined,
  ]);
});
