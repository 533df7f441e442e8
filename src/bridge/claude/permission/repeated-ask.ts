// What the channel tells after a reconnect may be a question that was answered in the terminal, of which it is not told.
import { type DeskAsk, isOpen } from './permission-ask.ts';

/** How often the screen is looked at while a dialog may be that of a question just answered. */
const mostLooks = 5;

/**
 * Whether a question that no hook goes with, and that may be a repeat, is one that waits.
 *
 * @param asks all that are known, this one too
 * @param looks how many there were before
 */
export function judgeRepeat(
  ask: DeskAsk,
  asks: readonly DeskAsk[],
  looks: number,
  isDialogShown: () => boolean,
): 'look again' | 'waits' | 'is over' {
  // Its dialog may still stand there.
  if (looks + 1 < mostLooks && asks.some(({ state }) => state.name === 'answered')) return 'look again';
  const isExplained = asks.some((other) => other !== ask && isOpen(other));
  return isDialogShown() && !isExplained ? 'waits' : 'is over';
}
