// A request as nearly all of them are. A hub says its whole history again with each message, and the schema takes five
// times as long over that as a look at it does. Whoever is not sure here asks the schema, which alone refuses.
import type { ChatRequest } from './chat-schema.ts';
import { hasControlCharacter, MAX_IDENTITY_LENGTH } from './identity-headers.ts';
import { isName, isShallow } from './schema-parts.ts';

type Fields = Record<string, unknown>;

/** Whether the schema would take it as it is, with nothing to add, to change or to say. */
export function isPlainChat(body: object): body is ChatRequest {
  const { model, messages, stream, stream_options, tools, n, max_completion_tokens, user, prompt_cache_key } =
    body as Fields;
  return (
    isName(model) &&
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every(isMessage) &&
    (isAbsent(stream) || typeof stream === 'boolean') &&
    (isAbsent(stream_options) || isStreamOptions(stream_options)) &&
    (isAbsent(tools) || (Array.isArray(tools) && tools.every(isTool))) &&
    (isAbsent(n) || n === 1) &&
    (isAbsent(max_completion_tokens) || Number.isFinite(max_completion_tokens)) &&
    (isAbsent(user) || isIdentity(user)) &&
    (isAbsent(prompt_cache_key) || isIdentity(prompt_cache_key))
  );
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSaid = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

const isIdentity = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_IDENTITY_LENGTH && !hasControlCharacter(value);

const isStreamOptions = (value: unknown): boolean =>
  isFields(value) && (isAbsent(value.include_usage) || typeof value.include_usage === 'boolean');

function isMessage(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { role, content, name, tool_call_id, tool_calls, function_call } = value;
  const isEmpty = isAbsent(content) && role !== 'user';
  const isRead = isEmpty || isSaid(content) || (Array.isArray(content) && content.every(isPart));
  if (!isRead || !(isAbsent(name) || typeof name === 'string') || !isAbsent(function_call)) return false;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return isAbsent(tool_call_id) && isAbsent(tool_calls);
    case 'assistant':
      return isAbsent(tool_call_id) && (isAbsent(tool_calls) || isCalls(tool_calls));
    case 'tool':
      return typeof tool_call_id === 'string' && tool_call_id !== '' && isAbsent(tool_calls);
    default:
      return false;
  }
}

const isPart = (value: unknown): boolean =>
  isFields(value) &&
  value.type === 'text' &&
  isSaid(value.text) &&
  value.refusal === undefined &&
  isAbsent(value.image_url);

const isCalls = (value: unknown): boolean => Array.isArray(value) && value.every(isCall);

const isCall = (value: unknown): boolean =>
  isFields(value) &&
  typeof value.id === 'string' &&
  isFields(value.function) &&
  typeof value.function.name === 'string' &&
  typeof value.function.arguments === 'string';

function isTool(value: unknown): boolean {
  if (!isFields(value) || value.type !== 'function' || !isFields(value.function)) return false;
  const { name, description, parameters } = value.function;
  return (
    isName(name) &&
    (isAbsent(description) || typeof description === 'string') &&
    (isAbsent(parameters) || (isFields(parameters) && isShallow(parameters)))
  );
}
