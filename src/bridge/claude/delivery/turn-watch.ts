// Sees what no hook tells: a turn ended by Esc or by a lost Stop. Of a question the screen tells nothing that counts.
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
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

export interface TurnWatch {
  /** Somebody else of ours is ending the turn, and tells of it. */
  endsItself(): boolean;
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
    turns: Pick<ClaudeRun['turns'], 'busy' | 'resting' | 'queued' | 'proven' | 'over' | 'agents'>;
    view: Pick<ScreenView, 'box' | 'interrupted'>;
    terminal: Pick<ClaudeRun['terminal'], 'title'>;
    desk: Pick<ClaudeRun['desk'], 'held'>;
  };

/** Runs until the process is gone. Never rejects. */
export async function watchTurns(run: WatchedTurns, watch: TurnWatch): Promise<void> {
  while (!gone(run)) {
    const isOpen = () => run.turns.busy || run.turns.queued;
    await run.watch.until(() => gone(run) || isOpen(), lookAgainMs);
    if (gone(run)) return;
    if (!isOpen()) continue;
    const { over } = run.turns;
    const quiet = await run.watch.steady(
      () => gone(run) || run.turns.over !== over || looksIdle(run),
      run.limits.quietMs,
      everyMs,
    );
    const ended = quiet && (run.worked || (await drawsNoWork(run, over)));
    // What was quiet may have been the end of a turn, and the beginning of the next.
    if (ended && !gone(run) && run.turns.over === over && !run.turns.resting && !watch.endsItself()) {
      if (run.turns.busy && !run.worked && !run.view.interrupted) watch.nothingHappened();
      run.turnIdle(run.view.interrupted);
    }
  }
}

/** The picture may be older than the turn, also one that says "Interrupted": one that stands still has not drawn it yet. */
async function drawsNoWork(run: WatchedTurns, over: number): Promise<boolean> {
  const isOther = () => gone(run) || run.turns.over !== over || !looksIdle(run);
  return !(await untilDrawn(run, isOther, run.limits.quietMs)) && !standsStill(run);
}

function looksIdle(run: WatchedTurns): boolean {
  // A question that only the relay brought ends with its turn, of which the box is the only sign.
  if (run.desk.held > 0 || run.view.box === undefined) return false;
  // While agents work the title says so whatever the main thread does, and only an Esc shows.
  if (run.turns.agents > 0) return run.view.interrupted;
  const state = titleState(run.terminal.title);
  // Of a release whose title says nothing the box says no more: it stands there during a turn, too.
  if (state !== 'idle') return state === 'unknown' && run.view.interrupted && isOld(run);
  return run.worked || isOld(run);
}

function isOld(run: WatchedTurns): boolean {
  const grace = run.turns.proven ? startGraceMs : beginGraceMs;
  return run.clock.now() - run.takenAt > grace;
}
