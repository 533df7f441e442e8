import type { ClaudeRun } from '../claude-run.ts';

/** What keys are typed into, and draws what they do. */
export type Drawing = Pick<ClaudeRun, 'watch'> & {
  terminal: Pick<ClaudeRun['terminal'], 'size' | 'resize' | 'onData'>;
};

/** How long Claude Code may take to draw anything at all before it is believed to hang, ms. */
const hungMs = 15_000;

/**
 * As `watch.until`, for what keys are to bring about that were just written. A prompt box that takes no keys and a Claude
 * Code that has not come to read them look the same: nothing is drawn. So before that is believed it is made to draw, which
 * it does whatever its box does, and has `ms` once more from then on.
 *
 * @param mostMs how long it may take to draw anything at all
 */
export async function untilDrawn<T>(
  run: Drawing,
  condition: () => T | false | undefined,
  ms: number,
  mostMs = hungMs,
): Promise<T | undefined> {
  const seen = await run.watch.until(condition, ms);
  if (seen !== undefined) return seen;
  return run.watch.until(condition, (await draws(run, condition, mostMs)) ? ms : 0);
}

/** @returns false when it has drawn nothing by the time that `condition` or nobody cares any more */
async function draws(
  { terminal, watch }: Drawing,
  condition: () => unknown,
  mostMs: number,
): Promise<boolean> {
  const { cols, rows } = terminal.size;
  let isDrawing = false;
  const unsubscribe = terminal.onData(() => {
    isDrawing = true;
    watch.poke();
  });
  // Until it has drawn: a program that looks when its size is as before draws nothing.
  terminal.resize(cols, rows + 1);
  await watch.until(() => isDrawing || Boolean(condition()), mostMs);
  unsubscribe();
  // Else somebody who watches it has another size by now.
  if (terminal.size.rows === rows + 1) terminal.resize(cols, rows);
  return isDrawing;
}
