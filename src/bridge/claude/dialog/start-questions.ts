// What Claude Code shows before it takes its first message, as questions: one dialog after the other, until it is ready.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import type { DrawnDialog } from '../screen/read-dialog.ts';
import { askDialog } from './ask-dialog.ts';
import { askableAtStart } from './askable.ts';

/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

/**
 * Never rejects.
 *
 * @param isReady it takes messages: from then on others look after its dialogs
 * @param stuck nobody can be asked what stands there now, so nobody in a chat can do anything about it
 */
export async function askAtStart(run: ClaudeRun, isReady: () => boolean, stuck: () => void): Promise<void> {
  const { watch } = run;
  const isOver = () => gone(run) || isReady();
  while (!isOver()) {
    // What has just been answered takes a moment to go, and what comes behind it to be drawn.
    if (!(await watch.until(() => isOver() || run.dialog !== undefined, lookAgainMs)) || isOver()) continue;
    const dialog = dialogAtStart(run);
    const isOther = () => isOver() || dialogAtStart(run)?.id !== dialog?.id;
    if (dialog && (await askDialog(run, dialog, isOther))) continue;
    stuck();
    await watch.until(isOther, lookAgainMs);
  }
  run.dialogs.over();
}

/** What can be asked now. */
export function dialogAtStart(run: ClaudeRun): DrawnDialog | undefined {
  if (run.view.box !== undefined) return undefined;
  return askableAtStart(run.terminal.rows(), !run.sessionStarted);
}
