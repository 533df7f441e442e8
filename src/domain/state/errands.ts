// What Claude leaves behind in a turn, such as a command in the background, and for whom it speaks when it comes back to it.
import type { Errand, Origin, SessionEvent } from '../../protocol/events/events.ts';
import { findTurn, keptErrands, type Session } from './session.ts';
import type { Turn } from './turn.ts';

/** The same name again is a newer errand: one prompt may be set as a wake-up again and again. */
export function keepErrand(
  session: Session,
  { turn: id, errand }: Extract<SessionEvent, { type: 'activity' }>,
): Session {
  const turn = id === undefined ? undefined : findTurn(session, id);
  if (!errand || !turn) return session;
  const { ingress, sender, meta } = turn;
  const others = session.errands.filter((each) => !isSame(each, errand));
  const kept = { ...errand, ingress, meta, ...(sender && { sender }) };
  return { ...session, errands: [...others, kept].slice(-keptErrands) };
}

/**
 * @param errand what a prompt that no turn asked for seems to be about
 * @returns undefined where it may as well be somebody's who types
 */
export function originOf(session: Session, errand: Errand | undefined): Origin | undefined {
  // Nobody can make up the name of a task. The words of a wake-up may be typed by whoever drives the terminal.
  if (!errand || (errand.by === 'wakeup' && session.lease)) return undefined;
  const known = session.errands.find((each) => isSame(each, errand));
  if (!known) return undefined;
  const { name: _, task: __, ...origin } = known;
  return origin;
}

/** A task is told by Claude Code's own name for it, and mostly by its tool use as well. */
const isSame = (one: Errand, other: Errand): boolean =>
  one.by === other.by && (one.name === other.name || (one.task !== undefined && one.task === other.task));

/**
 * Whether a chat is to read what this turn says. Not what was typed in Claude's terminal, nor what Claude goes on with
 * for the operator or for a run that nobody attends; and nobody misses what was stopped.
 */
export function isForChat({ adopted, ingress, meta, cancelledBy, phase }: Turn): boolean {
  if (!adopted) return true;
  if (ingress === 'operator' || meta.unattended !== undefined) return false;
  return cancelledBy === undefined && !(phase.name === 'settled' && phase.outcome === 'cancelled');
}
