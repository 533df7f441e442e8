import type { z } from 'zod';
import type { ToolSpec } from '../../../../protocol/tool-spec.ts';
import { invalidJson, invalidRequest, type Read, read, refuse } from '../errors.ts';
import { ChatRequest, chatMessages, chatTools } from './chat-schema.ts';
import { type HeaderFields, type IdentityHeaders, readIdentityHeaders } from './identity-headers.ts';
import { isPlainChat } from './plain-chat.ts';
import type { ProviderRequest } from './provider-request.ts';
import { ResponsesRequest, referencesOf, responsesMessages, responsesTools } from './responses-schema.ts';

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @param body the parsed JSON.
 * @returns the request, or a 400 that names the first wrong field in `param`.
 */
export function readChatRequest(body: unknown, fields: HeaderFields): Read<ProviderRequest> {
  return readBody(parseChat, body, fields, (wire, headers) => ({
    api: 'chat',
    ...common(wire, headers),
    includeUsage: wire.stream_options?.include_usage ?? false,
    store: false,
    references: [],
    messages: chatMessages(wire),
    tools: uniqueByName(chatTools(wire)),
  }));
}

/** Reads the body of `POST /v1/responses`. As {@link readChatRequest}. */
export function readResponsesRequest(body: unknown, fields: HeaderFields): Read<ProviderRequest> {
  return readBody(parseResponses, body, fields, (wire, headers) => ({
    api: 'responses',
    ...common(wire, headers),
    includeUsage: true, // part of the last event, asked for or not
    store: wire.store ?? true,
    ...(wire.previous_response_id && { previous: wire.previous_response_id }),
    references: referencesOf(wire),
    messages: responsesMessages(wire),
    tools: uniqueByName(responsesTools(wire)),
  }));
}

type Parse<W> = (body: object) => z.ZodSafeParseResult<W>;

const parseChat: Parse<ChatRequest> = (body) =>
  isPlainChat(body) ? { success: true, data: body } : ChatRequest.safeParse(body);
const parseResponses: Parse<ResponsesRequest> = (body) => ResponsesRequest.safeParse(body);

function readBody<W>(
  parse: Parse<W>,
  body: unknown,
  fields: HeaderFields,
  build: (wire: W, headers: IdentityHeaders) => ProviderRequest,
): Read<ProviderRequest> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse(invalidJson('The body is not a JSON object.'));
  }
  const headers = readIdentityHeaders(fields);
  if (!headers.ok) return headers;
  const parsed = parse(body);
  if (!parsed.success) return refuse(faultOf(parsed.error));
  const request = build(parsed.data, headers.value);
  return request.messages.length > 0
    ? read(request)
    : refuse(invalidRequest('input: it holds no message.', 'input'));
}

interface Wire {
  model: string;
  stream?: boolean | null;
  user?: string | null;
  prompt_cache_key?: string | null;
}

const common = (wire: Wire, headers: IdentityHeaders) => ({
  model: wire.model,
  stream: wire.stream ?? false,
  ...(wire.prompt_cache_key ? { cacheKey: wire.prompt_cache_key } : {}),
  ...(wire.user ? { user: wire.user } : {}),
  headers,
});

/** The first of each name: Claude Code refuses a catalog with two. */
function uniqueByName(tools: ToolSpec[]): ToolSpec[] {
  const seen = new Map<string, ToolSpec>();
  for (const tool of tools) if (!seen.has(tool.name)) seen.set(tool.name, tool);
  return [...seen.values()];
}

function faultOf(error: z.ZodError) {
  const [first] = error.issues;
  if (!first) return invalidRequest('The request is not valid.');
  const issue = deepest(first, []);
  const param = issue.path.map(String).join('.') || undefined;
  return invalidRequest(`${param ? `${param}: ` : ''}${issue.message}.`, param);
}

interface Located {
  path: PropertyKey[];
  message: string;
}

/** Of a union's failures the one that got furthest: it belongs to the shape the client meant. */
function deepest(issue: z.core.$ZodIssue, above: PropertyKey[]): Located {
  const here: Located = { path: [...above, ...issue.path], message: issue.message };
  if (issue.code !== 'invalid_union') return here;
  const inner = issue.errors.flatMap((branch) => branch.map((each) => deepest(each, here.path)));
  const furthest = inner.sort((a, b) => b.path.length - a.path.length)[0];
  return furthest && furthest.path.length > here.path.length ? furthest : here;
}
