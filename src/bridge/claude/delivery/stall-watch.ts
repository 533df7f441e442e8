// Sees that Claude Code stands still while it is said to work: it hangs, or is stopped, or its host is. Silence alone says
// nothing, since with little motion a picture stands for minutes; so it is made to draw before that is believed.
import type { ClaudeRun } from '../claude-run.ts';
import { titleState } from '../screen/screen-reader.ts';
import { gone } from './deliver-typed.ts';
import { untilDrawn } from './until-drawn.ts';

/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

/** Says how the session is. @param words absent: as it should be again */
type Tell = (code: string, words: string | undefined) => void;

/** Runs until the process is gone. Never rejects. */
export async function watchStalls(run: ClaudeRun, tell: Tell): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(() => gone(run) || saysItWorks(run), lookAgainMs);
    const { drawn, heard } = run;
    const isOther = () => gone(run) || !saysItWorks(run) || run.drawn !== drawn || run.heard !== heard;
    if (await run.watch.until(isOther, run.limits.stalledMs)) continue;
    // Once it is woken, where somebody has stopped it.
    if ((await untilDrawn(run, isOther, 0)) || gone(run)) continue;
    if (run.drawn === drawn) await stalled(run, drawn, tell);
  }
}

async function stalled(run: ClaudeRun, drawn: number, tell: Tell): Promise<void> {
  run.log.warn('Claude Code stands still');
  run.stalledAt = drawn;
  tell('stalled', stalledWords);
  if (run.turns.busy) run.emit([{ type: 'turn.failed', code: 'stalled', detail: '' }]);
  // A message may wait for its turn.
  run.watch.poke();
  while (!gone(run) && run.stalled) await run.watch.until(() => gone(run) || !run.stalled, lookAgainMs);
  if (!gone(run)) tell('stalled', undefined);
}

const stalledWords =
  'Claude Code stands still: it is said to work, draws nothing, and does not react. The next message starts it anew with this conversation, `synthesis restart` does so at once.';

function saysItWorks({ turns, desk, terminal }: ClaudeRun): boolean {
  if (desk.open > 0) return false;
  return (turns.busy && !turns.resting) || titleState(terminal.title) === 'working';
}
