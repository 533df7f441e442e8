// Sees a dialog that no hook tells, and makes a question of it. As long as that can be answered, the turn waits for it; when
// nobody can be asked any more, the turn ends in words: nobody waits for what cannot come.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { dialogOn, knownDialog } from '../screen/dialogs.ts';
import { screenTail, titleState } from '../screen/screen-reader.ts';
import { viewOn } from '../screen/views.ts';
import { askDialog, everyMs } from './ask-dialog.ts';
import { askable } from './askable.ts';

/** A question whose hook is late, or that has just been answered, is gone by then, ms. */
const standsMs = 5000;
/** One whose words change all the time is said, and not asked, after this, ms. */
const restlessMs = 9000;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

export interface DialogWatchOptions {
  /** Says how the session is. @param words absent: as it should be again */
  tell(code: string, words: string | undefined): void;
  /** Somebody looks at the terminal, who can answer there. */
  viewed(): boolean;
}

/** Runs until the process is gone. Never rejects. */
export async function watchDialog(run: ClaudeRun, options: DialogWatchOptions): Promise<void> {
  run.dialogs.startAfresh();
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || isUntold(run), lookAgainMs);
    const isSaid = await untilGone(run, options);
    run.dialogs.over();
    if (isSaid && !gone(run)) options.tell('untold_question', undefined);
  }
}

const untoldWords =
  'Claude Code shows a dialog that its hooks did not tell. `synthesis approvals` has it where it can be answered there, and `synthesis attach` shows it.';

/** One may stand behind the other. @returns true when it was said */
async function untilGone(run: ClaudeRun, options: DialogWatchOptions): Promise<boolean> {
  let since = run.clock.now();
  let isSaid = false;
  while (!gone(run) && isUntold(run)) {
    const dialog = askable(run.terminal.rows());
    const isOther = () => gone(run) || !isUntold(run) || askable(run.terminal.rows())?.id !== dialog?.id;
    const isSteady = !(await run.watch.until(isOther, standsMs));
    if (gone(run) || !isUntold(run)) break;
    if (!isSteady && run.clock.now() - since < restlessMs) continue;
    if (!isSaid) options.tell('untold_question', untoldWords);
    isSaid = true;
    if (dialog && isSteady) {
      if (!(await askDialog(run, dialog, isOther))) await endTurns(run, options, isOther);
      // A message may wait for the end of the question, and nothing more is drawn.
      run.watch.poke();
      since = run.clock.now();
    } else await endTurns(run, options, isSteady ? isOther : undefined);
  }
  return isSaid;
}

/**
 * Nobody can be asked: whoever waits for the turn is told so, and where it can be answered.
 * @param isOther until then; undefined: once
 */
async function endTurns(
  run: ClaudeRun,
  { viewed }: DialogWatchOptions,
  isOther: (() => boolean) | undefined,
): Promise<void> {
  do {
    if (run.turns.busy && !viewed()) {
      const detail = screenTail(run.terminal.rows(), 8);
      run.emit([{ type: 'turn.failed', code: 'untold_question', detail }]);
    }
    await run.watch.until(() => gone(run) || isOther?.(), everyMs);
  } while (isOther && !gone(run) && !isOther());
}

/** A dialog is on the screen, and no question that is known explains it. */
function isUntold(run: ClaudeRun): boolean {
  const { box, shell } = run.view;
  if (run.desk.open > 0 || box !== undefined || shell !== undefined) return false;
  const rows = run.terminal.rows();
  return dialogOn(rows, knownDialog(rows)) !== undefined || isUnexplained(run);
}

/** A turn runs, Claude Code says that it does not work, and no prompt is there: it asks something that no table knows. */
const isUnexplained = ({ turns, terminal }: ClaudeRun): boolean =>
  turns.busy && !turns.resting && titleState(terminal.title) === 'idle' && !viewOn(terminal.rows());
