// Texts in the user's place that no person wrote: heartbeats, scheduled runs, subagents, memory flushes, the runner.
// Each needs, besides its words, something that a person can't type: no timestamp, a session key, the internal context.
import { isCronKey } from '../identity/cache-key.ts';
import type { ProviderRequest } from '../request/provider-request.ts';
import type { InboundText } from './inbound-text.ts';
import {
  COMPLETION_HEAD,
  HEARTBEAT_HEADS,
  MEMORY_FLUSH_HEAD,
  NOTE_HEADS,
  NOTE_TEXTS,
  SUBAGENT_TASK_HEAD,
} from './markers.ts';
import type { OpenClawFacts } from './openclaw-facts.ts';

export type InboundEvent =
  /** The runner asks to go on with a turn that failed or showed nothing. */
  | { kind: 'continue'; text: string }
  /** `quiet` is the whole answer that means "nothing to say". */
  | { kind: 'heartbeat'; text: string; quiet: 'NO_REPLY' | 'HEARTBEAT_OK' }
  /** A scheduled, unattended run. `text` is the job's prompt with OpenClaw's words on delivery. */
  | { kind: 'cron'; text: string; jobId: string; name: string }
  /** A reminder, the end of a command, the word of another agent: told in nobody's name. */
  | { kind: 'note'; text: string }
  | { kind: 'subagent_child'; text: string }
  /** `child` is the session key of the subagent that finished. */
  | { kind: 'subagent_completion'; text: string; child?: string }
  | { kind: 'memory_flush'; text: string };

const cronHead = /^\[cron:([^\s\]]{1,128})(?: ([^\]\n]{0,200}))?\] /;
const childKey = /^session_key: (\S{1,512})$/m;

/** @returns undefined for a text that is to be taken as a person's. */
export function inboundEvent(
  inbound: InboundText,
  request: ProviderRequest,
  facts: OpenClawFacts,
): InboundEvent | undefined {
  if (inbound.headed) return undefined;
  const { text } = inbound;
  if (inbound.wrapper === 'runner') return { kind: 'continue', text };
  if (inbound.wrapper !== 'message') return undefined;
  if (NOTE_TEXTS.includes(text)) return { kind: 'note', text };
  if (isMemoryFlush(text, request)) return { kind: 'memory_flush', text };
  if (inbound.stamp === undefined) return unstampedEvent(text, request, facts);
  if (text.startsWith(SUBAGENT_TASK_HEAD) && facts.sessionKey?.includes(':subagent:')) {
    return { kind: 'subagent_child', text };
  }
  if (text.startsWith(COMPLETION_HEAD) && facts.context?.text.startsWith(COMPLETION_HEAD)) {
    const child = childKey.exec(text)?.[1];
    return { kind: 'subagent_completion', text, ...(child ? { child } : {}) };
  }
  return undefined;
}

function unstampedEvent(
  text: string,
  request: ProviderRequest,
  facts: OpenClawFacts,
): InboundEvent | undefined {
  const cron = cronHead.exec(text);
  if (cron?.[1] && mayBeCron(request, facts)) {
    return { kind: 'cron', text: text.slice(cron[0].length), jobId: cron[1], name: cron[2] ?? '' };
  }
  if (NOTE_HEADS.some((head) => text.startsWith(head))) return { kind: 'note', text };
  const { trigger } = request.headers;
  if (trigger === 'heartbeat' || HEARTBEAT_HEADS.some((head) => text.startsWith(head))) {
    return {
      kind: 'heartbeat',
      text,
      quiet: text.includes('HEARTBEAT_OK') ? 'HEARTBEAT_OK' : 'NO_REPLY',
    };
  }
  return undefined;
}

/** A run that names its session must name a scheduled one; old releases name none. */
function mayBeCron(request: ProviderRequest, facts: OpenClawFacts): boolean {
  if (request.cacheKey && isCronKey(request.cacheKey)) return true;
  return facts.sessionKey === undefined || facts.sessionKey.includes(':cron:');
}

/** Documented for 2026.9.6: the tools of such a turn are cut down to reading and appending. */
function isMemoryFlush(text: string, request: ProviderRequest): boolean {
  if (!text.startsWith(MEMORY_FLUSH_HEAD)) return false;
  if (request.headers.trigger === 'memory') return true;
  const names = new Set(request.tools.map((tool) => tool.name));
  return names.size > 0 && [...names].every((name) => name === 'read' || name === 'write');
}
