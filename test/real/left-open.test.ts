// What somebody who looked at Claude's terminal left there, and a Claude Code that stands still: messages go on, or are told
// why they do not.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** Of its Claude Code. */
const pidOf = (world: WatchedWorld): number => Number(world.events('s', 'agent.ready').at(-1)?.pid);

/** The process that has the terminal of that. */
function hostOf(world: WatchedWorld): number {
  const [, parent] = readFileSync(`/proc/${pidOf(world)}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(parent);
}

test.for([
  ['the transcript', '\x0f', 'Showing detailed transcript'],
  ['the search in earlier prompts', '\x12', 'Search prompts'],
  ['the mode of a shell', '!', '! for shell mode'],
  ['a command for a shell', '!ls -la', 'ls -la'],
  ['a draft', 'to be continued', 'to be continued'],
] as const)('%s keeps no message', async ([, keys, drawn]) => {
  await using world = await WatchedWorld.start('left-open');
  await world.ask('s', 'hello');
  await world.press('s', '❯', keys);
  await world.press('s', drawn, '');
  expect(await world.ask('s', 'are you there?')).toBe('echo: [user] are you there?');
  // What stood in the box is back, and keeps the next one no more than this one.
  expect(await world.ask('s', 'and now?')).toBe('echo: [user] and now?');
  expect(world.events('s', 'agent.starting')).toHaveLength(1);
  expect(world.api.turns.map(({ newest }) => newest)).toEqual([
    '[user] hello',
    '[user] are you there?',
    '[user] and now?',
  ]);
});

test('an editor that somebody has opened keeps a message until it is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'editor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const editor = join(folder, 'editor');
  await writeFile(editor, '#!/bin/sh\nclear\necho editing\nread line\n', { mode: 0o755 });
  await using world = await WatchedWorld.start('edits', { env: { EDITOR: editor } });
  await world.ask('s', 'hello');
  await world.press('s', '❯', 'a draft');
  await world.press('s', 'a draft', '\x07');
  await world.press('s', 'editing', '');
  const told = await world.ask('s', 'are you there?');
  expect(told).toContain("Something else stands in the place of Claude Code's prompt.");
  expect(told).toContain('goes to Claude by itself');
  await world.press('s', 'editing', '\r');
  await world.says('s', 'echo: [user] are you there?');
  expect(world.events('s', 'turn.held')).toMatchObject([{ code: 'prompt_hidden' }]);
});

test('a Claude Code that was stopped by a signal takes the next message', async () => {
  await using world = await WatchedWorld.start('stopped');
  await world.ask('s', 'hello');
  await world.press('s', '❯', '');
  process.kill(pidOf(world), 'SIGSTOP');
  expect(await world.ask('s', 'are you there?')).toBe('echo: [user] are you there?');
  expect(world.events('s', 'agent.starting')).toHaveLength(1);
});

test('a turn that somebody stopped with Ctrl+Z goes on by itself', async () => {
  await using world = await WatchedWorld.start('suspended', { config: { timeouts: { stalledMs: 3000 } } });
  const thinking = gate();
  world.api.on('think', async (answer) => {
    await thinking.opened;
    answer.text('I have thought.');
  });
  await world.ask('s', 'hello');
  const asked = world.ask('s', 'think');
  await world.press('s', 'esc to interrupt', '\x1a');
  // There is no shell to bring it back.
  await world.press('s', 'esc to interrupt', '');
  thinking.open();
  expect(await asked).toBe('I have thought.');
  expect(world.events('s', 'agent.starting')).toHaveLength(1);
});

test('a Claude Code that stands still is told, and the next message starts it anew', async () => {
  await using world = await WatchedWorld.start('stalled', { config: { timeouts: { stalledMs: 1000 } } });
  world.api.on('think', () => new Promise(() => {}));
  await world.ask('s', 'remember the number 7');
  const asked = world.ask('s', 'think');
  await world.press('s', 'esc to interrupt', '');
  // Nothing wakes it: what has its terminal is stopped.
  process.kill(hostOf(world), 'SIGSTOP');
  expect(await asked).toContain('Claude Code stands still');
  expect(await world.health()).toEqual(['stalled']);
  expect(await world.ask('s', 'are you there?')).toBe('echo: [user] are you there?');
  expect(JSON.stringify(world.api.turns.at(-1)?.body.messages)).toContain('remember the number 7');
  expect(await world.health()).toEqual([]);
});
