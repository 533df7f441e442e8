// Who speaks in a request, as far as OpenClaw vouches for it.

import { isForwarded, isSpoken } from '../../../../domain/message/quote.ts';
import type { Voice } from '../../../../domain/question/approvers.ts';
import type { Session } from '../../../../domain/state/session.ts';
import type { Turn } from '../../../../domain/state/turn.ts';
import type { NewestInput } from './newest-input.ts';
import type { OpenClawFacts } from './openclaw-facts.ts';

/**
 * Who wrote the newest message.
 *
 * @param key of the conversation: a client that proves nothing can name a group's, too
 */
export function voiceOf(
  facts: OpenClawFacts | undefined,
  input: NewestInput,
  key: string,
  session: Session | undefined,
): Voice {
  const newest = input.texts.at(-1);
  const sender = newest?.sender;
  return {
    proven: facts?.senders === 'proven',
    ...(facts?.senders === 'claimed' && { relayed: true }),
    group: isGroup(facts, input) || inGroup.test(key) || session?.turns.some(wroteInGroup) === true,
    ...(sender?.id !== undefined && { sender: sender.id }),
    ...(facts?.channel !== undefined && { channel: facts.channel.toLowerCase() }),
    ...(isForwarded(newest?.quotes) && { forwarded: true }),
    ...(isSpoken(newest?.quotes) && { spoken: true }),
    ...(newest?.bare && facts?.senders === 'proven' && { bare: true }),
    ...((sender?.bot || input.conversation?.sender?.is_bot) && { bot: true }),
  };
}

const inGroup = /:(group|channel|room|thread):/;
const wroteInGroup = ({ meta }: Turn): boolean => meta.chat_type === 'group';

/** In doubt it is a group: there nobody may answer before approvers are named. */
function isGroup(facts: OpenClawFacts | undefined, input: NewestInput): boolean {
  const { meta, sessionKey = '' } = facts ?? {};
  if (input.conversation?.is_group_chat || inGroup.test(sessionKey)) return true;
  return meta?.chat_type !== undefined && meta.chat_type !== 'direct';
}
