import { readTraceParent, traceParentText } from '../../../../protocol/trace-parent.ts';
import { invalidRequest, type Read, read, refuse } from '../errors.ts';

/** Header fields as node:http gives them: names in lower case in practice, any case accepted. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/** What the headers say about whose request it is. Every value is 1–512 characters without control characters. */
export interface IdentityHeaders {
  /** `x-synthesis-session`: the caller names the session itself. Beats everything. */
  session?: string;
  /** `x-session-affinity` or `session_id` (OpenClaw's `sendSessionAffinityHeaders`). */
  affinity?: string;
  /** `idempotency-key`: equal on every repeat of the same request. */
  idempotencyKey?: string;
  /** `x-stainless-retry-count`: above 0 when an OpenAI library repeats a request by itself. */
  retryCount?: string;
  // The x-openclaw-* headers of our OpenClaw plugin, decoded.
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
  channel?: string;
  chatId?: string;
  /** Who started the run. Somebody else may have written a later text of the same run. */
  senderId?: string;
  trigger?: string;
  runId?: string;
  /** How the chat shows an answer that grows: `off`, `partial`, `block` or `progress`. */
  streaming?: string;
  /** `x-openclaw-provider`: on every request of an OpenClaw that was set up for this bridge, utility calls too. */
  provider?: string;
  /** `traceparent`: the trace that the request belongs to. One that is none is not there. */
  trace?: string;
}

/** Longest accepted value, in UTF-16 code units. */
export const MAX_IDENTITY_LENGTH = 512;

/** Control characters and line separators: they would end up in logs, file names and terminal titles. */
export const hasControlCharacter = (text: string): boolean => /[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(text);

/** Wire name → field. `x-client-request-id` is left out on purpose: most clients change it with every request. */
const plain: readonly [string, keyof IdentityHeaders][] = [
  ['x-synthesis-session', 'session'],
  ['session_id', 'affinity'],
  ['x-session-affinity', 'affinity'],
  ['idempotency-key', 'idempotencyKey'],
  ['x-stainless-retry-count', 'retryCount'],
  ['x-openclaw-provider', 'provider'],
];
const encoded: readonly [string, keyof IdentityHeaders][] = [
  ['x-openclaw-session-key', 'sessionKey'],
  ['x-openclaw-session-id', 'sessionId'],
  ['x-openclaw-agent-id', 'agentId'],
  ['x-openclaw-channel', 'channel'],
  ['x-openclaw-chat-id', 'chatId'],
  ['x-openclaw-sender-id', 'senderId'],
  ['x-openclaw-trigger', 'trigger'],
  ['x-openclaw-run-id', 'runId'],
  ['x-openclaw-streaming', 'streaming'],
];
const known = [
  ...plain.map(([name, field]) => [name, field, false] as const),
  ...encoded.map(([name, field]) => [name, field, true] as const),
];

/**
 * Reads the headers that tell whose request it is. An empty value counts as absent: the plugin sends every header,
 * empty when it does not know.
 * @returns a 400 naming the header when a value is sent twice, too long, undecodable or holds control characters.
 */
export function readIdentityHeaders(fields: HeaderFields): Read<IdentityHeaders> {
  const given = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  const headers: IdentityHeaders = {};
  for (const [name, field, decode] of known) {
    const raw = given.get(name);
    const value = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
    if (value === undefined) continue;
    if (Array.isArray(value)) return refuse(wrong(name, 'was sent more than once'));
    const text = decode ? decodeUri(value.trim()) : value.trim();
    if (text === undefined) return refuse(wrong(name, 'is not valid percent-encoding'));
    if (text === '') continue;
    if (text.length > MAX_IDENTITY_LENGTH) {
      return refuse(wrong(name, `is longer than ${MAX_IDENTITY_LENGTH} characters`));
    }
    if (hasControlCharacter(text)) return refuse(wrong(name, 'holds control characters'));
    headers[field] = text;
  }
  const trace = given.get('traceparent');
  const parent = readTraceParent(typeof trace === 'string' ? trace : undefined);
  return read({ ...headers, ...(parent && { trace: traceParentText(parent) }) });
}

const wrong = (name: string, what: string) => invalidRequest(`The header ${name} ${what}.`, name);

function decodeUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
