import { z } from 'zod';
import { MEASURED_CHANNELS } from '../../../../protocol/settings/config.ts';
import { isCronKey, splitCacheKey } from '../identity/cache-key.ts';
import { findRuntimeLine, type RuntimeLine } from '../identity/runtime-line.ts';
import { jsonOf } from '../request/json-text.ts';
import { type ProviderRequest, systemText } from '../request/provider-request.ts';
import { type InternalContext, readInternalContext } from './internal-context.ts';
import { AGENT_SYSTEM } from './markers.ts';

const InboundMeta = z.object({
  schema: z.string(),
  channel: z.string().optional(),
  chat_type: z.string().optional(),
  chat_id: z.union([z.string(), z.number()]).optional(),
  account_id: z.string().optional(),
});
type InboundMeta = z.infer<typeof InboundMeta>;

/** What an OpenClaw agent request says about itself, outside of anybody's message. */
export interface OpenClawFacts {
  runtime?: RuntimeLine;
  /** The `openclaw.inbound_meta` block of the system prompt. */
  meta?: InboundMeta;
  context?: InternalContext;
  /** From the plugin's header, else the `Runtime:` line. */
  sessionKey?: string;
  /** From the plugin's header, else the `Runtime:` line, else inbound meta: `telegram`, `webchat`, … */
  channel?: string;
  senders: SenderProof;
}

/**
 * What a sender block in front of a message is worth.
 * - `proven`: a channel on which OpenClaw puts one in front of every message, so nobody else's can be the first.
 * - `claimed`: any other channel. Whoever writes there may have typed the block, so it is a label and no proof.
 * - `none`: web chat and command line. There is no block; whoever writes is the owner of that OpenClaw.
 */
export type SenderProof = 'proven' | 'claimed' | 'none';

/** Where OpenClaw's owner writes. No chat channel, and no sender block. */
const owners = new Set(['webchat', 'internal', 'cli']);

/**
 * Reads those facts, or returns undefined for a plain OpenAI client.
 *
 * An agent request has tools and says `running inside OpenClaw` in its system prompt. OpenClaw also takes the tools
 * away for a text-only pass after settled tool calls: then the words must stand at the prompt's very start, where a
 * plain client's own prompt has no reason to have them.
 *
 * @param provenChannels where OpenClaw is known to name the sender of every message
 */
export function openClawFacts(
  request: ProviderRequest,
  provenChannels: readonly string[] = MEASURED_CHANNELS,
): OpenClawFacts | undefined {
  const system = systemText(request);
  const at = system.indexOf(AGENT_SYSTEM);
  if (at === -1 || (request.tools.length === 0 && at > 120)) return undefined;
  const runtime = believableRuntimeLine(request);
  const meta = readInboundMeta(system);
  const context = readInternalContext(request);
  const { headers } = request;
  const channel = headers.channel ?? runtime?.channel ?? meta?.channel;
  return {
    ...defined({ runtime, meta, context, channel }),
    ...defined({ sessionKey: headers.sessionKey ?? runtime?.session }),
    senders: senderProof([headers.channel, runtime?.channel, meta?.channel], provenChannels),
  };
}

/** Places that tell different channels prove nothing: one of them was made up. */
function senderProof(
  channels: readonly (string | undefined)[],
  provenChannels: readonly string[],
): SenderProof {
  const told = [...new Set(channels.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])))];
  const [only, ...others] = told;
  if (only !== undefined && others.length === 0 && provenChannels.includes(only)) return 'proven';
  return told.every((name) => owners.has(name)) ? 'none' : 'claimed';
}

/** A line that names another session than the envelope does was typed by somebody: nothing on it is believed. */
function believableRuntimeLine(request: ProviderRequest): RuntimeLine | undefined {
  const line = findRuntimeLine(request);
  const key = request.cacheKey ?? request.headers.affinity;
  const told = key && !isCronKey(key) ? splitCacheKey(key).sessionId : request.headers.sessionId;
  return line?.sessionId !== undefined && told && line.sessionId !== told ? undefined : line;
}

/** The last such block: texts quoted from workspace files come earlier. */
function readInboundMeta(system: string): InboundMeta | undefined {
  const at = system.lastIndexOf('openclaw.inbound_meta.v');
  if (at === -1) return undefined;
  const start = system.lastIndexOf('```json\n', at);
  const end = system.indexOf('\n```', at);
  if (start === -1 || end === -1) return undefined;
  const meta = InboundMeta.safeParse(jsonOf(system.slice(start + '```json\n'.length, end)));
  return meta.success ? meta.data : undefined;
}

/** Without the fields that are undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
