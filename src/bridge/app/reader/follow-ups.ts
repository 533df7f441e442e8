// A run that nobody attends is one answer, as long as it lasts: what it left at work in the background begins turns of
// its own when it ends, and nobody comes back to ask for those.
import { findTurn, type Session } from '../../../domain/state/session.ts';
import { isSettled, type Turn } from '../../../domain/state/turn.ts';

/** `wait`: something that these turns left at work goes on. */
export type FollowUp = { turn: string } | 'wait' | undefined;

/**
 * What comes behind turns that were read.
 * @param read ids, oldest first
 */
export function followUp(session: Session, read: readonly string[]): FollowUp {
  const last = read.at(-1);
  const turn = last === undefined ? undefined : findTurn(session, last);
  if (!turn || turn.meta.unattended === undefined) return undefined;
  const next = session.turns.find((each) => isOfRun(each, turn) && !read.includes(each.id));
  if (next) return { turn: next.id };
  const isAtWork = session.tasks.some((task) => task.turn !== undefined && read.includes(task.turn));
  return isAtWork ? 'wait' : undefined;
}

/** Claude began it by itself, and it is not older. */
const isOfRun = (turn: Turn, run: Turn): boolean =>
  turn.origin !== undefined &&
  turn.meta.unattended === run.meta.unattended &&
  (!isSettled(turn) || (turn.ended ?? 0) > (run.ended ?? 0));
