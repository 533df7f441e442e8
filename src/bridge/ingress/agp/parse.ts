// A prompt of the gateway → what is asked, by whom, and how a repeat of it is recognised. Pure.
import { hashId } from '../../../base/digest.ts';
import type { Voice } from '../../../domain/question/approvers.ts';
import type { Reply, Session } from '../../../domain/state/session.ts';
import { sessionKey } from '../../../protocol/session-key.ts';
import type { PromptMessage, ReceivedBlock, UnreadablePrompt } from '../../../protocol/wire/agp.ts';

/** One prompt, whatever the connection it came over. */
export interface Asked {
  /** Names the reply that is owed: equal for a repeat of the same frame. */
  id: string;
  sessionId: string;
  promptId: string;
  msgId?: string;
  guid?: string;
  userId?: string;
  /** '' when there is nothing that can be read. */
  text: string;
  digest: string;
}

/** What the keys of all conversations of this gateway begin with. */
export const keyPrefix = (connection: string): string => `agp:${connection}:`;

/** The session that a conversation of this gateway is bound to. Foreign text: it never becomes a path. */
export const keyOf = (connection: string, sessionId: string): string =>
  sessionKey(`${keyPrefix(connection)}${sessionId}`);

export function readPrompt(connection: string, message: PromptMessage | UnreadablePrompt): Asked {
  const { msg_id: msgId, guid, user_id: userId, payload } = message;
  const { session_id: sessionId, prompt_id: promptId } = payload;
  const text = 'content' in payload ? textOf(payload.content) : '';
  const digest = hashId(text, 16);
  const id = hashId(JSON.stringify([connection, sessionId, promptId, msgId ?? digest]), 32);
  return {
    id,
    sessionId,
    promptId,
    text,
    digest,
    ...(msgId !== undefined && { msgId }),
    ...(guid !== undefined && { guid }),
    ...(userId !== undefined && { userId }),
  };
}

/** Text is all that AGP carries today. What else comes is named, so that Claude can say that it did not see it. */
function textOf(blocks: readonly ReceivedBlock[]): string {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
  const others = blocks.filter(({ type }) => type !== 'text').map(({ type }) => type);
  if (others.length === 0 || texts.every((text) => text.trim() === '')) return texts.join('\n');
  const names = [...new Set(others)].slice(0, 5).map((type) => type.replace(/[^\w-]/g, '').slice(0, 20));
  return [...texts, `(${names.join(', ')}: not passed on, only text is)`].join('\n');
}

/** What is journalled with the reply: all that sending it takes. */
export function replyMeta(connection: string, asked: Asked): Record<string, string> {
  const { sessionId, promptId, msgId, guid, userId, digest } = asked;
  return {
    connection,
    session_id: sessionId,
    prompt_id: promptId,
    digest,
    ...(msgId !== undefined && { msg_id: msgId }),
    ...(guid !== undefined && { guid }),
    ...(userId !== undefined && { user_id: userId }),
  };
}

/** The reply to this prompt, if it came before: the same frame, or the same prompt in a new frame. */
export function findReply(session: Session | undefined, asked: Asked): Reply | undefined {
  return session?.replies.findLast(
    ({ id, meta }) =>
      id === asked.id ||
      (asked.msgId !== undefined && meta.msg_id === asked.msgId) ||
      (meta.prompt_id === asked.promptId && meta.digest === asked.digest),
  );
}

/**
 * Who speaks. The gateway signed its user in and was itself admitted by the operator's token, so its `user_id` proves
 * the sender, like a hub's id. Without one, the voice is that of whoever holds the connection.
 */
export function voiceOf({ userId }: Asked): Voice {
  return {
    proven: userId !== undefined,
    group: false,
    channel: 'agp',
    ...(userId !== undefined && { sender: userId }),
  };
}
