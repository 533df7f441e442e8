// How a conversation begins: with its first message, or with the news that one is on its way.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { CallerCommand } from '../commands.ts';
import type { Session } from '../state/session.ts';
import { end, isAway } from './decide-session.ts';
import { type Decision, refuse } from './decision.ts';

type Warm = Extract<CallerCommand, { type: 'session.warm' }>;
type Opening = Pick<Extract<CallerCommand, { type: 'turn.submit' }>, 'guessed'> & Omit<Warm, 'type' | 'by'>;

/** Whatever there was of one that was removed ends here. @returns nothing for one that goes on */
export function openSession(session: Session, { ingress, guessed, claude, launch }: Opening): SessionEvent[] {
  // What its Claude Code began while it was being stopped.
  const events: SessionEvent[] = session.removed ? end(session, 'removed') : [];
  if (!session.ingress || session.removed)
    events.push({ type: 'session.opened', ingress, ...(guessed && { guessed: true }) });
  if (!session.claude || session.removed) events.push({ type: 'session.claude', claude, launch });
  return events;
}

export function decideWarm(session: Session, command: Warm): Decision {
  if (!isAway(session)) return refuse({ code: 'running' });
  return { events: [...openSession(session, command), { type: 'agent.wanted', by: command.by }] };
}

/** It was opened for a message that has not come: nobody has said anything in it, and nobody is in its terminal. */
export const isUnused = ({ ingress, removed, turns, claude, lease }: Session): boolean =>
  ingress !== undefined && !removed && turns.length === 0 && claude?.prompted === false && !lease;
