// Sees a dialog that no hook tells, and makes a question of it. As long as that can be answered, the turn waits for it; when
// nobody can be asked any more, the turn ends in words: nobody waits for what cannot come.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { dialogOn, knownDialog } from '../screen/dialogs.ts';
import { type DrawnDialog, readDialog } from '../screen/read-dialog.ts';
import { screenTail } from '../screen/screen-reader.ts';
import { pressOption } from './press-option.ts';

/** A question whose hook is late, or that has just been answered, is gone by then, ms. */
const standsMs = 5000;
/** One whose words change all the time is said, and not asked, after this, ms. */
const restlessMs = 9000;
/** A blank picture in between is none: it is drawn afresh by then, ms. */
const blinkMs = 400;
/** How often it is looked again, ms. */
const everyMs = 1000;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

/** Whoever may answer questions of Claude's need not be the one who may let it loose in a folder. */
const trusts = /\btrust\w*\b[^.?!]*\b(?:folder|director|workspace|files|project)/i;

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
    const dialog = dialogIn(run);
    const isOther = () => gone(run) || !isUntold(run) || dialogIn(run)?.id !== dialog?.id;
    const isSteady = !(await run.watch.until(isOther, standsMs));
    if (gone(run) || !isUntold(run)) break;
    if (!isSteady && run.clock.now() - since < restlessMs) continue;
    if (!isSaid) options.tell('untold_question', untoldWords);
    isSaid = true;
    if (dialog && isSteady) {
      await askOf(run, dialog, options, isOther);
      // A message may wait for the end of the question, and nothing more is drawn.
      run.watch.poke();
      since = run.clock.now();
    } else await endTurns(run, options, isSteady ? isOther : undefined);
  }
  return isSaid;
}

/** Until the dialog is gone, or somebody has answered. */
async function askOf(
  run: ClaudeRun,
  dialog: DrawnDialog,
  options: DialogWatchOptions,
  isOther: () => boolean,
): Promise<void> {
  const { dialogs, watch } = run;
  dialogs.ask(dialog);
  while (!gone(run)) {
    const hasNews = () => gone(run) || isOther() || dialogs.answered !== undefined || dialogs.isOver;
    await watch.until(hasNews, everyMs);
    if (gone(run)) return;
    const { answered } = dialogs;
    if (answered) return dialogs.pressed(await pressOption(run, dialog, answered.option));
    if (isOther() && !(await watch.until(() => gone(run) || !isOther(), blinkMs)))
      return dialogs.withdraw(run.desk.open > 0 ? askedByHook : wentAway);
    // Its time is over, or too many wrong codes came, or everything was stopped.
    if (dialogs.isOver) {
      dialogs.close();
      return endTurns(run, options, isOther);
    }
  }
}

const wentAway = 'it was answered in the terminal or went away';
const askedByHook = 'Claude Code asks it in another way now';

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
  return dialogOn(rows, knownDialog(rows)) !== undefined;
}

/** What can be asked. @returns undefined for what is not understood, and for what no chat is to answer */
function dialogIn(run: ClaudeRun): DrawnDialog | undefined {
  const dialog = readDialog(run.terminal.rows());
  if (!dialog) return undefined;
  const told = [dialog.words, ...dialog.options.map(({ label }) => label)];
  // Those of a start let Claude Code loose in a folder, or sign it in.
  const known = knownDialog(told)?.id;
  // `/theme` and `/login` draw those of the first start: a chat may only close them.
  if (known === 'onboarding') return { ...dialog, options: [] };
  return known !== undefined || trusts.test(told.join('\n')) ? undefined : dialog;
}
