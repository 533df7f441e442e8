import { type ProviderRequest, systemText, textsOf } from '../request/provider-request.ts';
import { isUtilityCall } from '../utility/utility-call.ts';
import type { InboundEvent } from './inbound-event.ts';
import { COMPACTION_SYSTEM, TITLE_SYSTEM } from './markers.ts';
import { type NewestInput, newestInput } from './newest-input.ts';
import type { OpenClawFacts } from './openclaw-facts.ts';

/** Calls that belong to no conversation, never answered by a live session. `text` is what they are about. */
type UtilityCall =
  | { kind: 'session_title'; text: string }
  | { kind: 'compaction_summary'; text: string }
  /** Has to be understood, by a Claude of its own. */
  | { kind: 'one_shot' };

/**
 * What a request is. Whatever the kind, `input.toolResults` are answers to calls and must be taken; an unknown or
 * settled id among them is a repeat.
 */
export type ConversationCall =
  /** A person's message. */
  | { kind: 'user'; input: NewestInput }
  | { kind: 'tool_results'; input: NewestInput }
  /** Somebody wrote while OpenClaw ran a tool. */
  | { kind: 'tool_results_and_user'; input: NewestInput }
  /**
   * The runner repeats `original` after a failure: re-attach to its turn or replay the answer. When no turn has that
   * text the first attempt never got here, and it is a `user` message.
   */
  | { kind: 'retry'; original: string; input: NewestInput }
  /** Nothing new: the runner wants the visible answer of the turn before. `input.texts` may hold its message. */
  | { kind: 'continue'; input: NewestInput }
  | (Exclude<InboundEvent, { kind: 'continue' }> & { input: NewestInput })
  /** It ends with an assistant message, or brings only notes. */
  | { kind: 'empty'; input: NewestInput };

export type Classified = UtilityCall | ConversationCall;

/**
 * @param facts as read by `openClawFacts`: undefined for a plain OpenAI client, whose words are never interpreted.
 */
export function classify(request: ProviderRequest, facts: OpenClawFacts | undefined): Classified {
  const known = utilityCall(request);
  if (known) return known;
  if (!facts && isUtilityCall(request)) return { kind: 'one_shot' };
  return conversationCall(newestInput(request, facts));
}

/** A known system prompt and no tools. */
function utilityCall(request: ProviderRequest): UtilityCall | undefined {
  if (request.tools.length > 0) return undefined;
  const system = systemText(request).trimStart();
  if (system.startsWith(TITLE_SYSTEM)) return { kind: 'session_title', text: lastUserText(request) };
  if (system.startsWith(COMPACTION_SYSTEM))
    return { kind: 'compaction_summary', text: lastUserText(request) };
  return undefined;
}

function lastUserText(request: ProviderRequest): string {
  const message = request.messages.findLast((each) => each.role === 'user');
  return message?.role === 'user' ? textsOf(message).join('\n') : '';
}

function conversationCall(input: NewestInput): ConversationCall {
  const event = input.events.at(-1);
  if (input.last === 'event' && event) {
    return event.kind === 'continue' ? { kind: 'continue', input } : { ...event, input };
  }
  const text = input.texts.at(-1);
  if (text?.wrapper === 'retry') return { kind: 'retry', original: text.text, input };
  if (input.toolResults.length > 0) {
    return { kind: text ? 'tool_results_and_user' : 'tool_results', input };
  }
  return { kind: text ? 'user' : 'empty', input };
}
