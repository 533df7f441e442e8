// Claude Code's questions at the start, as this version draws them: whoever updates Claude Code sees here what to relearn.
import { expect, test } from 'vitest';
import { knownDialog } from '../../src/bridge/claude/screen/dialogs.ts';
import { letsLoose } from '../../src/bridge/claude/screen/lets-loose.ts';
import { readDialog } from '../../src/bridge/claude/screen/read-dialog.ts';
import { readScreen } from '../../src/bridge/claude/screen/screen-reader.ts';
import { until } from '../support/until.ts';
import { startClaude, starts } from './support/starts.ts';

test.for(starts)('%s is recognised on the screen', async ([, start]) => {
  await using started = await startClaude(start);
  const { claude } = started;

  const settled = () =>
    start.dialog ? knownDialog(claude.rows) : readScreen(claude.rows, claude.rows).box === '';
  await until(`the ${start.dialog ?? 'prompt'} on screen`, settled, 20_000).catch(() => undefined);
  expect(knownDialog(claude.rows)?.id, claude.screen).toBe(start.dialog);
  expect(readScreen(claude.rows, claude.rows).box, claude.screen).toBe(start.dialog ? undefined : '');
});

/** How a terminal looks, which is asked before anything else, lets nothing loose. */
const loose = starts.filter(([, { dialog }]) => dialog !== undefined && dialog !== 'onboarding');

test.for(loose)('%s would be for the operator alone if nobody knew it', async ([, start]) => {
  await using started = await startClaude(start);
  const { claude } = started;
  await until(
    `the ${start.dialog} on screen`,
    () => knownDialog(claude.rows) && readDialog(claude.rows),
    20_000,
  );
  const read = readDialog(claude.rows);
  const told = [read?.words, ...(read?.options ?? []).map(({ label }) => label)].join('\n');
  expect(letsLoose(told), told).toBe(true);
});
