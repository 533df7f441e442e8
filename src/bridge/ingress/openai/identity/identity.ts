import { hashId } from '../../../../base/digest.ts';
import type { IdentitySource } from '../../../../protocol/events/events.ts';
import { sessionKey } from '../../../../protocol/session-key.ts';
import { SUMMARY_HEAD } from '../input/markers.ts';
import type { OpenClawFacts } from '../input/openclaw-facts.ts';
import { type ProviderRequest, systemText, textsOf, type UserMessage } from '../request/provider-request.ts';
import { isCronKey, splitCacheKey } from './cache-key.ts';
import { splitRuntimeLine } from './runtime-line.ts';

export interface Identity {
  /** The conversation's key. */
  key: string;
  source: IdentitySource;
  /** Present for OpenClaw's requests. */
  openclaw?: OpenClawIdentity;
}

interface OpenClawIdentity {
  agent?: string;
  sessionKey?: string;
  sessionId?: string;
  /** Rises by one with every compaction and every `/new`. */
  generation?: number;
  channel?: string;
  /** `user`, `heartbeat`, `cron`, …; only with the plugin. */
  trigger?: string;
}

/** Looks up the session key that an earlier request gave together with this session id. */
export type RecallKey = (sessionId: string) => string | undefined;

/**
 * Decides which conversation a request belongs to: explicit header, plugin headers, `prompt_cache_key` or affinity
 * header, `Runtime:` line, inbound meta, `user`, fingerprint of the conversation's beginning.
 *
 * The key is OpenClaw's session key whenever it is known (`agent:main:telegram:group:-100777`). A request with only
 * the session id (a compaction summary, or a release whose `Runtime:` line has no `session=`) gets that key through
 * `recall`: every result that has both `openclaw.sessionKey` and `openclaw.sessionId` is worth remembering. Without a
 * memory of it the key is `openclaw:<sessionId>`, the same for every request of that id. An isolated cron run has
 * neither; its key is its cache key, `openclaw-cron-<hex>`.
 *
 * Keys of plain clients are prefixed (`cache:`, `user:`, `guess:`) so that none can name an OpenClaw session by
 * accident; only `x-synthesis-session` is taken as it is.
 */
export function identify(
  request: ProviderRequest,
  facts: OpenClawFacts | undefined,
  recall: RecallKey = () => undefined,
): Identity {
  const openclaw = openClawIdentity(request, facts);
  const { name, source } = nameOf(request, facts, openclaw, recall);
  return { key: sessionKey(name), source, ...(openclaw && { openclaw }) };
}

function nameOf(
  request: ProviderRequest,
  facts: OpenClawFacts | undefined,
  openclaw: OpenClawIdentity | undefined,
  recall: RecallKey,
): { name: string; source: IdentitySource } {
  const { headers, user } = request;
  if (headers.session) return { name: headers.session, source: 'explicit' };
  if (headers.sessionKey) return { name: headers.sessionKey, source: 'plugin' };
  const cacheKey = request.cacheKey ?? headers.affinity;
  if (cacheKey) return { name: nameOfCacheKey(cacheKey, openclaw, recall), source: 'cache_key' };
  const { sessionKey: key, sessionId } = openclaw ?? {};
  if (key) return { name: key, source: 'runtime' };
  if (sessionId) return { name: recall(sessionId) ?? `openclaw:${sessionId}`, source: 'runtime' };
  const chat = facts && chatName(facts);
  if (chat) return { name: chat, source: 'inbound_meta' };
  if (user) return { name: `user:${user}`, source: 'user' };
  return { name: fingerprint(request, facts), source: 'fingerprint' };
}

function nameOfCacheKey(cacheKey: string, openclaw: OpenClawIdentity | undefined, recall: RecallKey): string {
  if (isCronKey(cacheKey)) return cacheKey;
  if (!openclaw) return `cache:${cacheKey}`;
  const { sessionId, sessionKey } = openclaw;
  return sessionKey ?? (sessionId && recall(sessionId)) ?? `openclaw:${sessionId ?? cacheKey}`;
}

const sessionUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function openClawIdentity(
  request: ProviderRequest,
  facts: OpenClawFacts | undefined,
): OpenClawIdentity | undefined {
  const { headers } = request;
  const cacheKey = request.cacheKey ?? headers.affinity;
  const split = cacheKey && !isCronKey(cacheKey) ? splitCacheKey(cacheKey) : undefined;
  // OpenClaw's compaction call says nothing of itself but its session id, which is a UUID.
  const ours = facts !== undefined || headers.sessionKey !== undefined || headers.sessionId !== undefined;
  if (!ours && !(split && sessionUuid.test(split.sessionId))) return undefined;
  const sessionId = split?.sessionId ?? headers.sessionId ?? facts?.runtime?.sessionId;
  const runtime = facts?.runtime;
  return dropUndefined({
    agent: headers.agentId ?? runtime?.agent,
    sessionKey: headers.sessionKey ?? runtime?.session,
    sessionId,
    generation: split?.generation,
    channel: headers.channel ?? runtime?.channel ?? facts?.meta?.channel,
    trigger: headers.trigger,
  });
}

/** Releases before 2026.7 tell only the chat. */
function chatName({ runtime, meta, context }: OpenClawFacts): string | undefined {
  const chat = meta?.chat_id ?? context?.conversation?.chat_id;
  if (chat === undefined || !meta?.channel) return undefined;
  const bare = String(chat).startsWith(`${meta.channel}:`)
    ? String(chat).slice(meta.channel.length + 1)
    : chat;
  return `openclaw:${runtime?.agent ?? 'main'}:${meta.channel}:${bare}`;
}

/** OpenClaw rebuilds its system prompt every turn, so only a plain client's counts. */
function fingerprint(request: ProviderRequest, facts: OpenClawFacts | undefined): string {
  const first = request.messages.find((message): message is UserMessage => message.role === 'user');
  const texts = first ? (facts ? splitRuntimeLine(first).texts : textsOf(first)) : [];
  const about = facts ? [facts.runtime?.agent, facts.meta?.channel] : [systemText(request)];
  return `guess:${hashId(JSON.stringify([request.model, ...about, ...texts]))}`;
}

/** What the caller remembers of the conversation's latest request. */
export interface Remembered {
  sessionId?: string;
  generation?: number;
}

/**
 * - `first`: nothing is remembered of it.
 * - `reset`: the user typed `/new`; Claude's session is to start afresh under the same key.
 * - `compacted`: OpenClaw shortened its own transcript; Claude's session is not concerned.
 * - `continues`: as before.
 */
export type Lifecycle = 'first' | 'reset' | 'compacted' | 'continues';

/**
 * `/new` and a compaction both raise the generation; after `/new` the history is gone, after a compaction the first
 * user message is a summary. Older releases change the session id instead. When neither is known nothing is
 * concluded: losing a conversation is worse than keeping it.
 */
export function lifecycle(
  request: ProviderRequest,
  identity: Identity,
  remembered: Remembered | undefined,
): Lifecycle {
  if (!remembered) return 'first';
  const { sessionId, generation } = identity.openclaw ?? {};
  const rose =
    generation !== undefined && remembered.generation !== undefined && generation > remembered.generation;
  const moved =
    sessionId !== undefined && remembered.sessionId !== undefined && sessionId !== remembered.sessionId;
  if (!rose && !moved) return 'continues';
  const first = request.messages.find((message): message is UserMessage => message.role === 'user');
  if (first && textsOf(first)[0]?.startsWith(SUMMARY_HEAD)) return 'compacted';
  return opensConversation(request) ? 'reset' : 'continues';
}

/** Whether nothing was answered yet: no assistant message, no tool result. */
export function opensConversation(request: ProviderRequest): boolean {
  return request.messages.every((message) => message.role === 'system' || message.role === 'user');
}

/**
 * Equal for every repeat of the same user message, different for an equal text sent later.
 * @param text the message, and `stamp` the minute OpenClaw put in front of it, when it did.
 */
export function dedupKey(
  request: ProviderRequest,
  { text, stamp }: { text: string; stamp?: string },
): string {
  const answers = request.messages.filter((message) => message.role === 'assistant').length;
  // Whoever continues a response sends no history: the response says where in the conversation the message stands.
  const after = request.previous === undefined ? [] : [request.previous];
  return hashId(JSON.stringify([text, stamp, answers, ...after]));
}

function dropUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
