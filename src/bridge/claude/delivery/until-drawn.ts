import type { ClaudeRun } from '../claude-run.ts';

/** What keys are typed into, and draws what they do. */
export type Drawing = Pick<ClaudeRun, 'clock' | 'watch' | 'drawn' | 'silentAt' | 'asked'> & {
  terminal: Pick<ClaudeRun['terminal'], 'size' | 'resize' | 'kill'>;
};

/** How long Claude Code may take to draw anything at all before it is believed to hang, ms. */
export const hungMs = 15_000;

/** One that draws within this is believed to read its keys, too, ms: 20 to 100 measured. */
const promptMs = 500;
/** From the first of a picture that was asked for, which may be a blank screen, to all of it, ms. */
const wholeMs = 250;
/** How often one is asked that takes longer than `promptMs`. */
const mostAsked = 3;

/**
 * As `watch.until`, for what keys are to bring about that were just written. A prompt box that takes no keys and a Claude
 * Code that has not come to read them look the same: nothing is drawn. So before that is believed it is made to draw, which
 * it does whatever its box does, and has `ms` once more from then on. A machine that stood still once may do so again right
 * behind that picture: what it does not do is believed of one that is asked a second time and draws at once. One that draws
 * nothing even then {@link standsStill}. A signal may have stopped it, or Ctrl+Z its drawing, and there is no shell to resume
 * it: so it gets SIGCONT, which only makes a running one draw (measured on 2.1.332).
 *
 * @param mostMs how long it may take to draw anything at all
 */
export async function untilDrawn<T>(
  run: Drawing,
  condition: () => T | false | undefined,
  ms: number,
  mostMs = () => hungMs,
): Promise<T | undefined> {
  for (let asked = 1; ; asked += 1) {
    const seen = await run.watch.until(condition, ms);
    if (seen !== undefined) return seen;
    const before = run.clock.now();
    const isAlive = await draws(run, condition, mostMs());
    const isPrompt = run.clock.now() - before <= promptMs;
    if (!isAlive) return run.watch.until(condition, 0);
    if (asked === mostAsked || (isPrompt && asked > 1)) return run.watch.until(condition, wholeMs);
  }
}

/**
 * It drew nothing when it was asked to, nor since. Keys may wait that it has not come to read, and what the screen shows is
 * older than they are: nothing is typed behind them because of that.
 */
export const standsStill = (run: Pick<Drawing, 'drawn' | 'silentAt'>): boolean => run.silentAt === run.drawn;

/** @returns false when it has drawn nothing by the time that `condition` or nobody cares any more */
async function draws(run: Drawing, condition: () => unknown, mostMs: number): Promise<boolean> {
  const { terminal, watch, drawn } = run;
  const { cols, rows } = terminal.size;
  const isDrawing = () => run.drawn !== drawn;
  if (run.asked?.rows !== rows) run.asked = { own: rows, rows, by: 0 };
  const { asked } = run;
  asked.by += 1;
  asked.rows = rows + 1;
  // Until it has drawn: a program that looks when its size is as before draws nothing.
  terminal.resize(cols, asked.rows);
  const isOver = () => isDrawing() || Boolean(condition());
  if (!(await watch.until(isOver, Math.min(promptMs, mostMs)))) {
    terminal.kill('SIGCONT', true);
    await watch.until(isOver, mostMs - promptMs);
  }
  asked.by -= 1;
  if (asked.by === 0) {
    if (run.asked === asked) run.asked = undefined;
    // Else somebody who watches it has another size by now.
    if (terminal.size.rows === asked.rows) terminal.resize(cols, asked.own);
  }
  if (!isDrawing()) run.silentAt = drawn;
  return isDrawing();
}
