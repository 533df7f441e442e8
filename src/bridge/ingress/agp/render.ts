// What is sent to the gateway. Pure: ids of new frames come with the call.
import { hashId } from '../../../base/digest.ts';
import type { AgpUplink, ToolCall, UpdatePayload } from '../../../protocol/wire/agp.ts';

/** How the answer to a prompt ends. */
export type Ending =
  | { stop: 'end_turn'; text: string }
  | { stop: 'cancelled' }
  | { stop: 'refusal' | 'error'; words: string };

/** Where a reply goes: what the journal kept of its prompt. */
export interface Address {
  session_id: string;
  prompt_id: string;
  guid?: string;
  user_id?: string;
}

/** @param own used where the prompt named none */
export function addressOf(
  meta: Readonly<Record<string, string>>,
  own: { guid?: string; userId?: string },
): Address {
  const guid = meta.guid ?? own.guid;
  const user = meta.user_id ?? own.userId;
  return {
    session_id: meta.session_id ?? '',
    prompt_id: meta.prompt_id ?? '',
    ...(guid !== undefined && { guid }),
    ...(user !== undefined && { user_id: user }),
  };
}

export function chunk(to: Address, id: string, text: string): AgpUplink {
  return update(to, id, { update_type: 'message_chunk', content: { type: 'text', text } });
}

export function toolUpdate(
  to: Address,
  id: string,
  type: 'tool_call' | 'tool_call_update',
  call: ToolCall,
): AgpUplink {
  return update(to, id, { update_type: type, tool_call: call });
}

type Details<T> = T extends UpdatePayload ? Omit<T, 'session_id' | 'prompt_id'> : never;

function update(to: Address, id: string, details: Details<UpdatePayload>): AgpUplink {
  const { session_id, prompt_id, ...people } = to;
  return { msg_id: id, ...people, method: 'session.update', payload: { session_id, prompt_id, ...details } };
}

/**
 * The one response to a prompt. Its `msg_id` follows from the reply's id, so that a response that has to be sent again,
 * because nobody knows whether it arrived, is recognised as the same.
 */
export function promptResponse(to: Address, reply: string, ending: Ending): AgpUplink {
  const { session_id, prompt_id, ...people } = to;
  const turn = { session_id, prompt_id };
  const msg_id = uuidFrom(`${reply} response`);
  switch (ending.stop) {
    case 'end_turn': {
      const content = [{ type: 'text' as const, text: ending.text }];
      const payload = { ...turn, stop_reason: ending.stop, content };
      return { msg_id, ...people, method: 'session.promptResponse', payload };
    }
    case 'cancelled':
      return {
        msg_id,
        ...people,
        method: 'session.promptResponse',
        payload: { ...turn, stop_reason: 'cancelled' },
      };
    default: {
      const payload = { ...turn, stop_reason: ending.stop, error: ending.words.toWellFormed() };
      return { msg_id, ...people, method: 'session.promptResponse', payload };
    }
  }
}

/** Equal for equal texts, in the form of a version 4 UUID, which the protocol wants. */
export function uuidFrom(text: string): string {
  const hex = hashId(text, 32);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
