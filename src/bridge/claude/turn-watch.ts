// Sees what no hook tells: a turn ended by Esc or by a lost Stop, and a question answered "yes" in the terminal.
import type { ClaudeRun } from './claude-run.ts';
import { gone } from './deliver-typed.ts';
import { titleState } from './screen-reader.ts';

/** A turn that never showed work is only called over after this long, ms. */
const startGraceMs = 5000;
/** An open question whose dialog has left the screen for this long was answered there, ms. */
const answeredMs = 1500;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

export interface TurnWatch {
  /** We press Esc ourselves, and tell ourselves. */
  isInterrupting(): boolean;
  /** A prompt was taken and nothing at all happened. */
  nothingHappened(): void;
}

/** Runs until the process is gone. Never rejects. */
export async function watchTurns(run: ClaudeRun, watch: TurnWatch): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || run.trace.busy, lookAgainMs);
    if (gone(run)) return;
    if (!run.trace.busy) continue;
    // Nothing may redraw after the grace, so a timer looks.
    const cancel = run.clock.after(startGraceMs + 50, () => run.watch.poke());
    const quiet = await run.watch.steady(
      () => gone(run) || !run.trace.busy || looksIdle(run),
      run.limits.quietMs,
      lookAgainMs,
    );
    cancel();
    if (quiet && !gone(run) && run.trace.busy && !run.trace.closing && !watch.isInterrupting()) {
      if (!run.worked && !run.view.interrupted) watch.nothingHappened();
      run.turnIdle(run.view.interrupted);
    }
  }
}

function looksIdle(run: ClaudeRun): boolean {
  if (titleState(run.terminal.title) !== 'idle' || run.desk.open > 0 || run.view.box === undefined)
    return false;
  return run.worked || run.clock.now() - run.takenAt > startGraceMs;
}

/** Withdraws questions whose dialog was answered in the terminal: "Yes" there tells nobody (measured on 2.1.329). */
export async function watchQuestions(run: ClaudeRun): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || run.desk.open > 0, lookAgainMs);
    if (gone(run)) return;
    // Whoever answers fast does so before it may count, and nothing is drawn after that: so it is looked at by the clock.
    const answered = await run.watch.steady(() => gone(run) || leftScreen(run), answeredMs, answeredMs);
    if (!answered || gone(run) || run.desk.open === 0) continue;
    run.desk.withdrawAll("answered in Claude's terminal");
    // Whoever waits for the end of the turn looks again: nothing may be drawn any more.
    run.watch.poke();
  }
}

/** While a question waits, the title is idle and the box is hidden. */
function leftScreen(run: ClaudeRun): boolean {
  const { oldestAt } = run.desk;
  if (oldestAt === undefined) return true;
  if (run.clock.now() - oldestAt <= answeredMs || run.view.box === undefined) return false;
  if (run.terminal.rows().some((row) => row.includes(waitingWords))) return false;
  // Esc aborts a held hook; of a question that only the relay brought it tells nobody.
  return titleState(run.terminal.title) === 'working' || run.desk.relayOnly;
}

/** Stands above a box that the dialog is going to hide, later when somebody has typed into it (seen on 2.1.329). */
const waitingWords = 'Waiting for permission';
