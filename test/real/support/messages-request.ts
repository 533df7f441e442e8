// What a request of the Messages API says, read with care only for what the tests look at.
import type { IncomingHttpHeaders } from 'node:http';

/** `turn`: the conversation itself. `helper`: titles, quota probes and the like, which carry no tools. */
type RequestKind = 'turn' | 'helper' | 'count';

interface Block {
  type: string;
  text?: string;
  content?: unknown;
  tool_use_id?: string;
  name?: string;
  input?: unknown;
}

interface Message {
  role: string;
  content: string | Block[];
}

export interface Body {
  model?: string;
  stream?: boolean;
  max_tokens?: number;
  system?: string | Block[];
  messages: Message[];
  tools?: { name: string; input_schema?: unknown }[];
  metadata?: { user_id?: string };
}

export interface ApiRequest {
  kind: RequestKind;
  headers: IncomingHttpHeaders;
  body: Body;
  /** Every user text without the reminders Claude Code adds, oldest first: the history as the model sees it. */
  userTexts: string[];
  assistantTexts: string[];
  /** Last of `userTexts`, or an empty string. */
  newest: string;
  /** Content of the last message, without those that Claude Code adds behind it. */
  last: string | Block[] | undefined;
  /** Ids of the tool results in it; empty when it is words. */
  toolResults: string[];
  /** The session the request belongs to, as Claude Code states it in `metadata.user_id`, if it does. */
  session: string | undefined;
}

const blocks = (content: string | Block[] | undefined): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

const wrapped = /^\s*<(system-reminder|local-command-caveat|command-name|available-deferred-tools)\b/;

/** Reminders alone, or in the role `system`: which tools there are by now, for one. It comes when it comes. */
const isAdded = ({ role, content }: Message): boolean =>
  role === 'system' ||
  blocks(content).every(({ type, text }) => type === 'text' && text !== undefined && wrapped.test(text));

function texts(messages: Message[], role: string): string[] {
  return messages
    .filter((message) => message.role === role)
    .map((message) =>
      blocks(message.content)
        .flatMap((block) => (block.type === 'text' && block.text ? [block.text] : []))
        .filter((text) => !wrapped.test(text))
        .join('\n'),
    )
    .filter((text) => text !== '');
}

function sessionOf(userId: string | undefined): string | undefined {
  return userId?.match(/session_(?:id"?\s*:\s*")?([0-9a-f-]{36})/)?.[1];
}

/** @param path the request's path, which alone tells a token count */
export function readRequest(path: string, headers: IncomingHttpHeaders, body: Body): ApiRequest {
  const userTexts = texts(body.messages, 'user');
  const last = body.messages.findLast((message) => !isAdded(message))?.content;
  return {
    kind: path.includes('count_tokens') ? 'count' : body.tools?.length ? 'turn' : 'helper',
    headers,
    body,
    userTexts,
    assistantTexts: texts(body.messages, 'assistant'),
    newest: userTexts.at(-1) ?? '',
    last,
    toolResults: blocks(last).flatMap((block) =>
      block.type === 'tool_result' && block.tool_use_id ? [block.tool_use_id] : [],
    ),
    session: sessionOf(body.metadata?.user_id),
  };
}
