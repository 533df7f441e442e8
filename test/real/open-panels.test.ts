// Panels that somebody opens in Claude's terminal and leaves there: the next message hears of each, Esc from the chat closes
// it, and the message goes to Claude.
import { expect, test } from 'vitest';
import { codeIn } from '../support/code-in.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** Commands of Claude Code 2.1.332 that draw a panel in the place of the prompt; with `HUNT` all of them are opened. */
const panels = [
  '/model',
  '/permissions',
  '/resume',
  '/config',
  '/mcp',
  '/hooks',
  '/memory',
  '/theme',
  '/export',
  '/add-dir',
  '/status',
  '/help',
  '/plugin',
  '/skills',
  '/effort',
  '/rewind',
  '/usage',
  '/stats',
  '/tasks',
  '/sandbox',
];
const opened = process.env.HUNT ? panels : ['/model', '/theme', '/add-dir'];

test.for(opened)('%s is asked about, closed by a no, and the message goes to Claude', async (panel) => {
  await using world = await WatchedWorld.start('panel');
  await world.ask('s', 'hello');
  await world.press('s', '❯', `${panel}\r`);
  // Drawn by then, so that the message finds it.
  await world.press('s', 'Esc to', '');
  const before = performance.now();
  let answer = await world.ask('s', 'are you there?');
  expect(performance.now() - before).toBeLessThan(15_000);
  expect(codeIn(answer), answer).not.toBe('');
  // One may lie behind the other.
  for (let tries = 0; tries < 3 && codeIn(answer) !== ''; tries += 1)
    answer = await world.ask('s', `no ${codeIn(answer)}`);
  expect(answer).toContain('[user] are you there?');
  expect(world.events('s', 'agent.starting')).toHaveLength(1);
});
