// Claude Code's questions at the start, as this version draws them: whoever updates Claude Code sees here what to relearn.
import { expect, test } from 'vitest';
import { knownDialog } from '../../src/bridge/claude/screen/dialogs.ts';
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
