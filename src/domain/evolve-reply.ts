import type { SessionEvent } from '../protocol/events.ts';
import { keptReplies, type Reply, type Session } from './session.ts';

export function evolveReply(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'reply.owed': {
      const { reply: id, turn, words, meta } = event;
      const reply: Reply = {
        id,
        meta,
        sent: false,
        ...(turn !== undefined && { turn }),
        ...(words !== undefined && { words }),
      };
      return { ...session, replies: [...session.replies, reply] };
    }
    case 'reply.sent':
      return {
        ...session,
        replies: forgetOldest(
          session.replies.map((reply) => (reply.id === event.reply ? { ...reply, sent: true } : reply)),
        ),
      };
    default:
      return session;
  }
}

/** What is owed is never forgotten. */
function forgetOldest(replies: readonly Reply[]): readonly Reply[] {
  let surplus = replies.filter((reply) => reply.sent).length - keptReplies;
  if (surplus <= 0) return replies;
  return replies.filter((reply) => !(reply.sent && surplus-- > 0));
}
