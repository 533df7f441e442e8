import { z } from 'zod';
import type { Quote } from '../../../../protocol/quote.ts';
import { type ProviderRequest, textsOf, type UserMessage } from '../request/provider-request.ts';
import { contextBlocks } from './context-blocks.ts';
import { quotesOf } from './context-quotes.ts';
import { CONTEXT_BEGIN, CONTEXT_END } from './markers.ts';

const Id = z.union([z.string().max(256), z.number()]).transform(String);

export const WireSender = z.object({
  id: Id.optional(),
  name: z.string().optional(),
  username: z.string().optional(),
  is_bot: z.boolean().optional().catch(undefined),
});
export type WireSender = z.infer<typeof WireSender>;

const ConversationInfo = z.object({
  chat_id: Id.optional(),
  message_id: Id.optional(),
  topic_id: Id.optional(),
  sender: WireSender.optional().catch(undefined),
  group_subject: z.string().optional(),
  is_group_chat: z.boolean().optional(),
  source_modality: z.string().optional().catch(undefined),
});
/** The chat that the turn answers to. */
export type ConversationInfo = z.infer<typeof ConversationInfo>;

export interface InternalContext {
  /** Between the markers. Data about the turn, never a request of the user's: it repeats other people's messages. */
  text: string;
  conversation?: ConversationInfo;
  /** What the message in front of it answers or passes on. */
  quotes: Quote[];
}

/** The context message of this request: the last one, and nothing of it is in later history. */
export function readInternalContext(request: ProviderRequest): InternalContext | undefined {
  const message = request.messages.findLast(
    (each): each is UserMessage => each.role === 'user' && isInternalContext(each, request.api),
  );
  if (!message) return undefined;
  const [whole = ''] = textsOf(message);
  const text = whole.trim().slice(CONTEXT_BEGIN.length, -CONTEXT_END.length).trim();
  const blocks = contextBlocks(text);
  const conversation = blocks
    .filter(({ label }) => label === 'Conversation info')
    .map(({ value }) => ConversationInfo.safeParse(value).data)
    .find((info) => info !== undefined);
  return { text, quotes: quotesOf(blocks), ...(conversation && { conversation }) };
}

/**
 * A user-role message that is nothing but one marked text. On chat completions it is always a list with one part,
 * while people's texts are strings that start with a timestamp; /v1/responses sends lists only.
 */
export function isInternalContext(message: UserMessage, api: ProviderRequest['api']): boolean {
  if (api === 'chat' && message.shape === 'string') return false;
  const [part, ...others] = message.parts;
  if (part?.type !== 'text' || others.length > 0) return false;
  const text = part.text.trim();
  return text.startsWith(`${CONTEXT_BEGIN}\n`) && text.endsWith(CONTEXT_END);
}
