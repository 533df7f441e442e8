import type { Ending } from '../settle.ts';
import type { Session } from '../state/session.ts';

/**
 * How a turn ends of which Claude Code said Stop. A completion without any text leaves its copy of the last message at
 * that of a turn before (measured on 2.1.332): it counts only when that one has not said it. What this turn has said as
 * well is not missing.
 *
 * @param last Claude Code's copy of the last message
 */
export function completed(session: Session, last: string | undefined): Ending {
  const isOwn = last !== undefined && !saidBefore(session, last);
  return { outcome: 'completed', ...(isOwn && { last }) };
}

function saidBefore({ turns }: Session, last: string): boolean {
  const [before] = turns
    .filter(({ answer }) => answer.text.length > 0)
    .sort((left, right) => (right.ended ?? 0) - (left.ended ?? 0));
  return before !== undefined && String(before.answer.text).trimEnd().endsWith(last.trimEnd());
}
