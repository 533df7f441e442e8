// A command of Claude Code's own that the bridge types: `/exit`, `/mcp reconnect`.
import type { ClaudeRun } from '../claude-run.ts';
import { emptyBox, type PromptBox } from './empty-box.ts';
import { hungMs, untilDrawn } from './until-drawn.ts';

/** How long the box may take to show it, ms. */
const drawMs = 1000;
/** Before it is sent the completion list has to know the whole command, or the key takes something else, ms. */
const listMs = 100;

/**
 * Types a command and enters it. Not when a turn began in between: the key may mean something else there.
 *
 * @param over nobody wants it any more
 * @param mostMs how long it may take to draw anything at all; what is typed next waits for no less
 * @returns whether it was entered
 */
export async function enterCommand(
  run: PromptBox & Pick<ClaudeRun, 'idle'>,
  command: string,
  over: () => boolean,
  mostMs = hungMs,
): Promise<boolean> {
  if (!(await emptyBox(run))) return false;
  run.lastTyped = command;
  run.terminal.write(command);
  await untilDrawn(
    run,
    () => over() || run.view.box === command,
    drawMs,
    () => mostMs,
  );
  await run.watch.until(() => over() || !run.idle, listMs);
  const { submit } = await run.keys();
  if (submit === undefined || over() || !run.idle || run.view.box !== command) return false;
  run.terminal.write(submit);
  return true;
}
