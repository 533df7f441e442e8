// Sees what no hook tells: a turn ended by Esc or by a lost Stop, and a question answered "yes" in the terminal.
import type { ClaudeRun } from '../claude-run.ts';
import type { AgentLimits } from '../options.ts';
import { type ScreenView, titleState } from '../screen/screen-reader.ts';
import { gone } from './deliver-typed.ts';
import { type Drawing, standsStill, untilDrawn } from './until-drawn.ts';

/** A turn that never showed work is only called over after this long, ms. */
const startGraceMs = 5000;
/**
 * As long as Claude Code has not said that it began, ms. What the channel wrote to it is read later on a machine with too
 * much to do, and a turn that was called over would be answered to nobody.
 */
const beginGraceMs = 30_000;
/** How often it is looked at although nothing was drawn, ms. */
const everyMs = 1000;
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

/** What is looked at. */
export type WatchedTurns = Pick<
  ClaudeRun,
  'exit' | 'stopping' | 'clock' | 'worked' | 'takenAt' | 'turnIdle'
> &
  Drawing & {
    limits: Pick<AgentLimits, 'quietMs'>;
    trace: Pick<ClaudeRun['trace'], 'busy' | 'closing' | 'proven' | 'over'>;
    view: Pick<ScreenView, 'box' | 'interrupted'>;
    terminal: Pick<ClaudeRun['terminal'], 'title'>;
    desk: Pick<ClaudeRun['desk'], 'open'>;
  };

/** Runs until the process is gone. Never rejects. */
export async function watchTurns(run: WatchedTurns, watch: TurnWatch): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || run.trace.busy, lookAgainMs);
    if (gone(run)) return;
    if (!run.trace.busy) continue;
    const { over } = run.trace;
    const quiet = await run.watch.steady(
      () => gone(run) || run.trace.over !== over || looksIdle(run),
      run.limits.quietMs,
      everyMs,
    );
    const ended = quiet && (run.worked || (await drawsNoWork(run, over)));
    // What was quiet may have been the end of a turn, and the beginning of the next.
    if (ended && !gone(run) && run.trace.over === over && !run.trace.closing && !watch.isInterrupting()) {
      if (!run.worked && !run.view.interrupted) watch.nothingHappened();
      run.turnIdle(run.view.interrupted);
    }
  }
}

/** The picture may be older than the turn, also one that says "Interrupted": one that stands still has not drawn it yet. */
async function drawsNoWork(run: WatchedTurns, over: number): Promise<boolean> {
  const isOther = () => gone(run) || run.trace.over !== over || !looksIdle(run);
  return !(await untilDrawn(run, isOther, run.limits.quietMs)) && !standsStill(run);
}

function looksIdle(run: WatchedTurns): boolean {
  if (titleState(run.terminal.title) !== 'idle' || run.desk.open > 0 || run.view.box === undefined)
    return false;
  const grace = run.trace.proven ? startGraceMs : beginGraceMs;
  return run.worked || run.clock.now() - run.takenAt > grace;
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
