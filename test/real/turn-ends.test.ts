// Turns of the real Claude Code that do not end with their first Stop, or end without a word.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WatchedWorld } from './support/watched-world.ts';

const reason = 'Say whether the tests pass.';

/** A Stop hook of the user's own: a program that takes its time, and sends Claude on once in each turn. */
const stopHook = (seconds: number) =>
  `if grep -q '"stop_hook_active":true'; then exit 0; fi; sleep ${seconds}; echo '${reason}' >&2; exit 2`;

test.each([0, 4])(
  'a Stop hook of %i s sends Claude on: what it says then reaches the chat',
  async (seconds) => {
    await using world = await WatchedWorld.start('stop-hook');
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: stopHook(seconds) }] }] };
    const settings = join(await world.home.directory('.claude'), 'settings.json');
    await writeFile(settings, JSON.stringify({ hooks }));
    world.api.on('about ', (answer, { body, newest }) => {
      const topic = /about (\w+)/.exec(newest)?.[1];
      const messages = JSON.stringify(body.messages);
      const sentOn = messages.lastIndexOf(reason) > messages.lastIndexOf(`about ${topic}`);
      answer.text(sentOn ? `The tests of ${topic} pass.` : `I have changed ${topic}.`);
    });

    let read = await world.ask('s', 'about lions');
    await world.says('s', 'The tests of lions pass.');
    read += await world.ask('s', 'about bears');
    await world.says('s', 'The tests of bears pass.');
    await world.rests('s');

    for (const words of ['I have changed lions.', 'The tests of lions pass.', 'I have changed bears.'])
      expect(read.split(words), read).toHaveLength(2);
    expect(read.indexOf('I have changed lions.')).toBeLessThan(read.indexOf('The tests of lions pass.'));
  },
);

test('an answer without a word is not the answer before it', async () => {
  await using world = await WatchedWorld.start('empty');
  world.api.on(
    ({ newest }) => newest.trimEnd().endsWith('say nothing'),
    () => undefined,
  );
  expect(await world.ask('s', 'may I go home?')).toContain('may I go home?');
  const nothing = await world.ask('s', 'may I delete the backup? say nothing');
  expect(nothing).not.toContain('may I go home?');
  expect(nothing.trim()).not.toBe('');
  expect(await world.ask('s', 'are you well?')).toContain('are you well?');
});
