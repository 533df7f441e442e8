// The one internal shape of a request, whatever API it came through. Everything behind the door is written once.
import type { ToolSpec } from '../../../../protocol/tool-spec.ts';
import type { IdentityHeaders } from './identity-headers.ts';

export type Part =
  | { type: 'text'; text: string }
  /** `url` is `data:` or `http(s):`, as sent. */
  | { type: 'image'; url: string }
  /** Audio, files and whatever comes next: named so that the caller can tell the user. */
  | { type: 'unsupported'; kind: string };

/** A call that an assistant message made. `arguments` is the JSON text as sent, not parsed. */
export interface MadeCall {
  id: string;
  name: string;
  arguments: string;
}

export type UserMessage = {
  role: 'user';
  parts: Part[];
  /** Whether the wire carried a plain string: OpenClaw's own messages are lists, people's texts are strings. */
  shape: 'string' | 'parts';
};

export type Message =
  | { role: 'system'; text: string }
  | UserMessage
  | { role: 'assistant'; text: string; calls: MadeCall[] }
  | { role: 'tool'; callId: string; text: string; images: string[] };

export interface ProviderRequest {
  api: 'chat' | 'responses';
  model: string;
  stream: boolean;
  /** Whether the client asked for a usage chunk at the end of the stream. */
  includeUsage: boolean;
  /** In wire order, oldest first. At least one. */
  messages: Message[];
  /** Unique by name. */
  tools: ToolSpec[];
  /** Whether a client may come back to the response by its id. */
  store: boolean;
  /** Id of the response that this continues: only what is new was sent. */
  previous?: string;
  /** Ids of stored items that stand for what was said. */
  references: string[];
  /** `prompt_cache_key`, at most 512 characters. */
  cacheKey?: string;
  /** `user`, at most 512 characters. */
  user?: string;
  headers: IdentityHeaders;
}

/** All system and developer texts, joined by newlines. */
export function systemText(request: ProviderRequest): string {
  return request.messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])).join('\n');
}

/** The text parts of a user message, in order. */
export const textsOf = (message: UserMessage): string[] =>
  message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
