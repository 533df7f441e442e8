import type { SessionEvent } from '../../protocol/events/events.ts';
import { forgetOldest } from './forget.ts';
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
    case 'reply.sent': {
      const replies = session.replies.map((reply) =>
        reply.id === event.reply ? { ...reply, sent: true } : reply,
      );
      const sent = replies.filter((reply) => reply.sent);
      return { ...session, replies: forgetOldest(replies, sent, keptReplies) };
    }
    default:
      return session;
  }
}
