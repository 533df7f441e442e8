// The real Claude Code, with its prompt drawn in ways that the screen reader does not know.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { learnLayout } from '../../src/bridge/claude/screen/learn-layout.ts';
import { readScreen } from '../../src/bridge/claude/screen/screen-reader.ts';
import { until } from '../support/until.ts';
import { claudePath } from './support/peers.ts';
import { startClaude } from './support/starts.ts';
import { WatchedWorld } from './support/watched-world.ts';

const redrawing = resolve(import.meta.dirname, '../fixtures/redrawing-claude.mjs');

/** A program that is Claude Code and draws other characters. What is no session it passes on as it is. */
async function redrawn(replacements: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'redrawn-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'claude');
  const claude = claudePath();
  const script = `#!/bin/sh
[ -t 0 ] || exec '${claude}' "$@"
REDRAW='${JSON.stringify(replacements)}' exec '${process.execPath}' '${redrawing}' '${claude}' "$@"
`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

test.each([
  ['with other rules and another mark', { '❯': '›', '─': '=' }, '=========='],
  ['without rules', { '❯': '›', '─': ' ' }, '› '],
  ['with a title that says nothing', { '❯': '›', '✳': '', '◐': '', '◑': '' }, '› '],
])('a prompt drawn %s takes messages', async (_title, replacements, drawn) => {
  await using world = await WatchedWorld.start('redrawn', { claude: await redrawn(replacements) });
  expect(await world.ask('s', 'good morning')).toContain('good morning');
  await world.press('s', drawn, '');
  expect(await world.ask('s', 'one\n\ntwo\nthree')).toContain('three');
  expect(await world.ask('s', `long ${'and so on '.repeat(60)}to the end`)).toContain('to the end');
});

test('one that shows nothing of what is typed is said to be unknown', async () => {
  // What a word is made of is not drawn.
  const hidden = Object.fromEntries([...'bcdfghjklmnpqrstvwxz'].map((letter) => [letter, '']));
  await using world = await WatchedWorld.start('hidden', {
    claude: await redrawn({ ...hidden, '❯': '›' }),
  });
  const answer = await world.ask('s', 'good morning');
  expect(answer).toContain('draws its prompt in a way that the bridge does not know');
  expect(answer).toContain('claude install');
  expect(world.events('s', 'agent.dialog')).toMatchObject([{ dialog: 'prompt_unknown' }]);
});

test('one for a screen reader, which a bridge switches off, is learned from marks as well', async () => {
  await using started = await startClaude({ dialog: undefined, env: { CLAUDE_AX_SCREEN_READER: '1' } });
  const { claude } = started;
  const [first, second] = ['qwrtzpl', 'mnbvcxk'];
  const shows = (text: string) =>
    until(`"${text}"`, () => claude.rows.some((row) => row.includes(text)), 20_000);
  await shows('$');
  claude.paste(first);
  await shows(first);
  const one = claude.rows;
  claude.paste(`\n${second}`);
  await shows(second);
  const layout = learnLayout({ one, two: claude.rows, first, second });
  const box = () => readScreen(claude.rows, claude.rows, layout).box;
  expect(box(), claude.screen).toBe(`${first}\n${second}`);
  claude.type('\x7f'.repeat(first.length + 1 + second.length));
  await until('an empty prompt', () => box() === '');
  claude.paste('good\n\nmorning');
  await until('a text in it', () => box() === 'good\n\nmorning');
});
