import type { ClaudeRun } from '../claude-run.ts';
import { revealPrompt } from './reveal-prompt.ts';

/** How long a dialog may take to become a question, ms: it has to stand there for 5 s. */
const askMs = 7000;
const mostHidden = 3;

/**
 * Waits until the prompt is free, or it is known that it will not be. A dialog that becomes a question meanwhile is asked of
 * whoever wrote this message, and waited for like any question. One that was asked before keeps the message: its writer is
 * told so.
 *
 * @param over nobody waits any more
 * @param ms how long Claude Code may be busy with something else
 */
export async function untilOpen(run: ClaudeRun, over: () => boolean, ms: number): Promise<void> {
  const { watch, dialogs, limits } = run;
  const isAsked = () => dialogs.words !== undefined;
  const wasAsked = isAsked();
  for (let times = 0; ; ) {
    await watch.until(() => over() || run.idle || run.blocked || run.promptHidden || run.stalled, ms);
    // Whoever sits at the terminal may bring it back as often.
    if (!over() && run.promptHidden && times < mostHidden && (await revealPrompt(run, over))) {
      times += 1;
      continue;
    }
    if (over() || wasAsked || !run.blocked) return;
    await watch.until(() => over() || !run.blocked || isAsked(), askMs);
    if (over() || (run.blocked && !isAsked())) return;
    await watch.until(() => over() || run.idle || !isAsked(), limits.busyMs);
    if (over() || run.idle || isAsked()) return;
  }
}
