import type { ClaudeRun } from '../claude-run.ts';
import { revealPrompt } from './reveal-prompt.ts';

/** How long a dialog may take to become a question, ms: it has to stand there for 5 s. */
const askMs = 7000;
/** How often the prompt is brought back for one message: somebody at the terminal may hide it as often. */
const mostReveals = 3;

/**
 * Waits until the prompt is free, or it is known that it will not be. A dialog that becomes a question meanwhile is asked of
 * whoever wrote this message, and waited for like any question. One that was asked before keeps the message: its writer is
 * told so.
 *
 * @param over nobody waits any more
 * @param ms how long Claude Code may be busy with something else
 */
export async function untilOpen(run: ClaudeRun, over: () => boolean, ms: number): Promise<void> {
  if (run.dialogs.words === undefined) await untilAnswered(run, over, ms);
  else await untilSeen(run, over, ms);
}

/** As {@link untilOpen}, and a dialog that was asked before is waited for, too. */
export async function untilAnswered(run: ClaudeRun, over: () => boolean, ms: number): Promise<void> {
  const { watch, dialogs, limits } = run;
  const isAsked = () => dialogs.words !== undefined;
  for (;;) {
    await untilSeen(run, over, ms);
    if (over() || !run.blocked) return;
    await watch.until(() => over() || !run.blocked || isAsked(), askMs);
    if (over() || (run.blocked && !isAsked())) return;
    await watch.until(() => over() || run.idle || !isAsked(), limits.busyMs);
    if (over() || run.idle || isAsked()) return;
  }
}

/** Until the prompt is free, or what keeps it is seen. What only hides it is taken away. */
async function untilSeen(run: ClaudeRun, over: () => boolean, ms: number): Promise<void> {
  for (let reveals = 0; ; reveals += 1) {
    await run.watch.until(() => over() || run.idle || run.blocked || run.promptHidden || run.stalled, ms);
    if (over() || !run.promptHidden || reveals === mostReveals) return;
    if (!(await revealPrompt(run, over))) return;
  }
}
