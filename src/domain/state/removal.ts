// What a removal leaves of a session, until its key is used again or nothing knows it any more.
import type { SessionEvent } from '../../protocol/events/events.ts';
import { costAfresh } from './cost.ts';
import { withoutResponses } from './evolve-response.ts';
import { emptySession, owedReplies, type Session } from './session.ts';

/** Its text is to be forgotten: what it owed is void. Its turns stay for whoever is reading them just now. */
export function withoutDues({ link: _, status: __, cost: ___, label: ____, ...session }: Session): Session {
  return { ...withoutResponses(session), replies: [], tools: [], errands: [], forget: true };
}

/**
 * The key is used again. What is about the process goes on, and so does what the hub has said in the meantime, or is
 * still owed; the conversation begins empty.
 */
export function afresh(session: Session): Session {
  const { key, agent, run, heard, health, mode, lease, claude, link, tools, tasks, cost } = session;
  // After a removal that forgets, all of them are of since then, and so are their rows: a repeat finds them as well.
  const replies = session.forget ? session.replies : owedReplies(session);
  const owed = new Set(replies.map(({ turn }) => turn));
  return {
    ...emptySession(key),
    agent,
    health,
    tools,
    tasks,
    replies,
    turns: session.forget ? [] : session.turns.filter(({ id }) => owed.has(id)),
    ...(run !== undefined && { run }),
    ...(heard !== undefined && { heard }),
    ...(mode !== undefined && { mode }),
    ...(lease && { lease }),
    ...(claude && { claude }),
    ...(link && { link }),
    ...(cost && !session.forget && { cost: costAfresh(cost) }),
  };
}

/** What a caller may say of the next conversation, between a removal and the message that begins it. */
const isSaidBefore: ReadonlySet<SessionEvent['type']> = new Set([
  'session.linked',
  'catalog.changed',
  'reply.owed',
  'reply.sent',
]);

/** Which rows of a session are forgotten. */
export interface Forgotten {
  /** Seq of the row that removed it: up to there all are. */
  removed: number;
  /** Seq of the last row before the next conversation: up to there all are that are not about that one. */
  upTo: number;
}

export const isForgotten = ({ removed, upTo }: Forgotten, seq: number, type: SessionEvent['type']): boolean =>
  seq <= removed || (seq <= upTo && !isSaidBefore.has(type));
