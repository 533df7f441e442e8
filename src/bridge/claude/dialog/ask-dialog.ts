// One dialog as a question, from its asking until its keys were pressed, or until nobody can be asked any more.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import type { DrawnDialog } from '../screen/read-dialog.ts';
import { pressOption } from './press-option.ts';

/** A blank picture in between is none: it is drawn afresh by then, ms. */
const blinkMs = 400;
/** How often it is looked again, ms. */
export const everyMs = 1000;

/**
 * @param isOther it is not what stands there any more
 * @returns false when its time is over, or too many wrong codes came, or everything was stopped: it stands there, unanswered
 */
export async function askDialog(
  run: ClaudeRun,
  dialog: DrawnDialog,
  isOther: () => boolean,
): Promise<boolean> {
  const { dialogs, watch } = run;
  dialogs.ask(dialog);
  while (!gone(run)) {
    const hasNews = () => gone(run) || isOther() || dialogs.answered !== undefined || dialogs.isOver;
    await watch.until(hasNews, everyMs);
    if (gone(run)) break;
    const { answered } = dialogs;
    if (answered) {
      dialogs.pressed(await pressOption(run, dialog, answered.option));
      break;
    }
    if (isOther() && !(await watch.until(() => gone(run) || !isOther(), blinkMs))) {
      dialogs.withdraw(run.desk.open > 0 ? askedByHook : wentAway);
      break;
    }
    if (dialogs.isOver) {
      dialogs.close();
      return false;
    }
  }
  return true;
}

const wentAway = 'it was answered in the terminal or went away';
const askedByHook = 'Claude Code asks it in another way now';
