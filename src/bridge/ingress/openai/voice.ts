// Who speaks in a request, as far as OpenClaw vouches for it.
import type { Voice } from '../../../domain/approvers.ts';
import type { NewestInput } from './newest-input.ts';
import type { OpenClawFacts } from './openclaw-facts.ts';

/** Who wrote the newest message. */
export function voiceOf(facts: OpenClawFacts | undefined, input: NewestInput): Voice {
  const sender = input.texts.at(-1)?.sender;
  return {
    proven: facts?.sendersProven ?? false,
    group: isGroup(facts, input),
    ...(sender?.id !== undefined && { sender: sender.id }),
    ...(facts?.channel !== undefined && { channel: facts.channel }),
    ...(facts?.context?.forwarded && { forwarded: true }),
    ...((sender?.bot || input.conversation?.sender?.is_bot) && { bot: true }),
  };
}

/** In doubt it is a group: there nobody may answer before approvers are named. */
function isGroup(facts: OpenClawFacts | undefined, input: NewestInput): boolean {
  const { meta, sessionKey = '' } = facts ?? {};
  if (input.conversation?.is_group_chat || /:(group|channel|room|thread):/.test(sessionKey)) return true;
  return meta?.chat_type !== undefined && meta.chat_type !== 'direct';
}
