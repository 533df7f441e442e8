// Sees what Claude Code does behind the back of its hooks: they are switched off, or it shows a question that they did not
// tell. Neither is answered here, only said: nobody waits for what cannot come.
import type { ClaudeRun } from '../claude-run.ts';
import { dialogOn, knownDialog } from '../screen/dialogs.ts';
import { screenTail } from '../screen/screen-reader.ts';
import { gone } from './deliver-typed.ts';

/** Says how the session is. @param words absent: as it should be again */
type Tell = (code: string, words: string | undefined) => void;

/** How long the hooks of what was done before may be on their way when they are switched off, ms. */
const lateMs = 500;
/** A question whose hook is late, or that has just been answered, is gone by then, ms. */
const standsMs = 5000;
/** How often it is looked again whether it stands there. */
const everyMs = 1000;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

/** Runs until the process is gone. Never rejects. */
export async function watchHooks(run: ClaudeRun, tell: Tell): Promise<void> {
  let told: string | undefined;
  const isNew = () => run.hooksOff !== told || (run.hooksOff !== undefined && run.turns.busy);
  while (!gone(run)) {
    // That they are on again no hook tells for sure.
    const isSeen = await run.watch.until(
      () => gone(run) || isNew(),
      told === undefined ? lookAgainMs : everyMs,
    );
    if (!isSeen && told !== undefined) await run.lookAtHooks();
    if (gone(run)) return;
    if (run.hooksOff !== told) {
      told = run.hooksOff;
      tell('hooks_off', told === undefined ? undefined : offWords(told));
    }
    await run.watch.until(() => gone(run) || run.hooksOff === undefined, lateMs);
    if (run.hooksOff !== undefined && run.turns.busy) run.unheard();
  }
}

const offWords = (why: string): string =>
  `Claude Code's hooks do not reach the bridge: ${why}. Claude's answers cannot be heard. Change it in that file.`;

/** Runs until the process is gone. Never rejects. @param viewed somebody looks at it, who can answer it */
export async function watchDialog(run: ClaudeRun, tell: Tell, viewed: () => boolean): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || isUntold(run), lookAgainMs);
    const left = await run.watch.until(() => gone(run) || !isUntold(run), standsMs);
    if (gone(run)) return;
    if (left) continue;
    tell('untold_question', untoldWords);
    while (!gone(run) && isUntold(run)) {
      if (run.turns.busy && !viewed()) {
        const detail = screenTail(run.terminal.rows(), 8);
        run.emit([{ type: 'turn.failed', code: 'untold_question', detail }]);
      }
      await run.watch.until(() => gone(run) || !isUntold(run), everyMs);
    }
    if (!gone(run)) tell('untold_question', undefined);
  }
}

const untoldWords =
  'Claude Code shows a question that its hooks did not tell. Answer it in its terminal with `synthesis attach`.';

/** A dialog is on the screen, and no question that is known explains it. */
function isUntold(run: ClaudeRun): boolean {
  if (run.desk.open > 0 || run.view.box !== undefined) return false;
  const rows = run.terminal.rows();
  return dialogOn(rows, knownDialog(rows)) !== undefined;
}
