import type { CallerCommand } from '../commands.ts';
import type { Session } from '../state/session.ts';
import { type Decision, nothing } from './decision.ts';

type ReplyCommand = Extract<CallerCommand, { type: 'reply.owe' | 'reply.sent' }>;

/** Owing twice and sending twice change nothing: both may be repeated after a crash. */
export function decideReply(session: Session, command: ReplyCommand): Decision {
  const known = session.replies.find((reply) => reply.id === command.reply);
  if (command.type === 'reply.sent') {
    return known && !known.sent ? { events: [{ type: 'reply.sent', reply: known.id }] } : nothing;
  }
  if (known) return nothing;
  const { reply, turn, words, meta } = command;
  return {
    events: [
      {
        type: 'reply.owed',
        reply,
        meta,
        ...(turn !== undefined && { turn }),
        ...(words !== undefined && { words }),
      },
    ],
  };
}
