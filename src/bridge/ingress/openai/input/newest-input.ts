// What a request brings that the bridge has not been told before: everything after the last assistant message,
// without what OpenClaw adds for the model.
import { isSpoken } from '../../../../domain/message/quote.ts';
import type { Quote } from '../../../../protocol/quote.ts';
import { splitRuntimeLine } from '../identity/runtime-line.ts';
import { type ProviderRequest, textsOf, type UserMessage } from '../request/provider-request.ts';
import { type InboundEvent, inboundEvent } from './inbound-event.ts';
import { readInboundText, type TextSender } from './inbound-text.ts';
import { type ConversationInfo, type InternalContext, isInternalContext } from './internal-context.ts';
import { FAILED_NOTE, MISSING_RESULT, SKIPPED_RESULT, SUMMARY_HEAD } from './markers.ts';
import type { OpenClawFacts } from './openclaw-facts.ts';
import { heardIn } from './spoken.ts';

export interface NewText {
  /** What was written, unchanged. Empty when somebody sent only a picture. */
  text: string;
  /** Proven by OpenClaw; absent for plain clients, web chat, command line and merged texts. */
  sender?: TextSender;
  /** What a block says that proves nothing; see `InboundText.claimed`. */
  claimed?: string;
  /** What it answers, or that it is passed on, as far as OpenClaw says. */
  quotes?: Quote[];
  /** It came behind the context of the message before, and has none: nothing says whether it was passed on. */
  bare?: true;
  /** Minute of arrival as OpenClaw wrote it: tells two equal messages apart. */
  stamp?: string;
  /** `retry`: sent before. `queued`: an older text, a blank line and the new one, see `afterQueued`. */
  wrapper: 'message' | 'retry' | 'queued';
  /** See `InboundText.typed`. */
  typed?: true;
  /** True for texts that OpenClaw merged into one message: each was delivered by an earlier request. */
  merged: boolean;
}

interface ToolResult {
  /** As echoed by the client; match it with `matchCallId`. */
  callId: string;
  content: string;
  /** `missing`, `skipped`: OpenClaw wrote it because the call never ran. */
  outcome: 'done' | 'missing' | 'skipped';
}

interface NewImage {
  /** `data:` or `http(s):`. The file of a `[media attached: path (mime)]` line is the same picture on disk. */
  url: string;
  /** Index in `texts` of the text that came with it; absent for pictures in tool results. */
  of?: number;
}

export interface NewestInput {
  /** Oldest first. More than one: earlier ones got no answer yet, and may have been delivered by an earlier request. */
  texts: NewText[];
  /** What OpenClaw itself wrote in the user's place. */
  events: InboundEvent[];
  /** Which of the two came last. */
  last?: 'text' | 'event';
  toolResults: ToolResult[];
  images: NewImage[];
  /** Kinds of content parts that can't be handed to Claude Code, e.g. `input_audio`. */
  unsupported: string[];
  /** OpenClaw's context was met: what comes behind it was written later. */
  told?: true;
  /** The chat that the turn answers to. */
  conversation?: ConversationInfo;
}

/**
 * @param facts of an OpenClaw request. Without them it is a plain client's, of which nothing is stripped.
 */
export function newestInput(request: ProviderRequest, facts: OpenClawFacts | undefined): NewestInput {
  const lastAnswer = request.messages.findLastIndex((message) => message.role === 'assistant');
  const firstUser = request.messages.findIndex((message) => message.role === 'user');
  const input: NewestInput = { texts: [], events: [], toolResults: [], images: [], unsupported: [] };
  for (const [offset, message] of request.messages.slice(lastAnswer + 1).entries()) {
    if (message.role === 'tool') {
      input.toolResults.push(toolResult(message.callId, message.text));
      input.images.push(...message.images.map((url) => ({ url })));
    }
    if (message.role !== 'user') continue;
    const first = lastAnswer + 1 + offset === firstUser;
    if (facts) addOpenClawMessage(input, message, { request, facts, first });
    else addPlainMessage(input, message);
  }
  if (facts?.context?.conversation) input.conversation = facts.context.conversation;
  return input;
}

function toolResult(callId: string, content: string): ToolResult {
  if (content.startsWith(MISSING_RESULT)) return { callId, content, outcome: 'missing' };
  return { callId, content, outcome: content === SKIPPED_RESULT ? 'skipped' : 'done' };
}

function addPlainMessage(input: NewestInput, message: UserMessage): void {
  const text = textsOf(message).join('\n');
  if (text !== '' || message.parts.some((part) => part.type === 'image')) {
    addText(input, { text, wrapper: 'message', merged: false });
  }
  addOthers(input, message);
}

interface Place {
  request: ProviderRequest;
  facts: OpenClawFacts;
  /** Whether it is the request's first user message, the only one that may carry summary and Runtime line. */
  first: boolean;
}

function addOpenClawMessage(input: NewestInput, message: UserMessage, place: Place): void {
  const { request, facts, first } = place;
  if (isInternalContext(message, request.api)) return takeContext(input, facts.context);
  if (isFailedNote(message)) return;
  const runtimeHere = first && facts.runtime?.where === 'user';
  let texts = runtimeHere ? splitRuntimeLine(message).texts : textsOf(message);
  if (first && texts[0]?.startsWith(SUMMARY_HEAD)) texts = texts.slice(1);
  const pictured = message.parts.some((part) => part.type === 'image');
  if (texts.length === 0 && pictured) texts = [''];
  const merged = texts.length > 1;
  for (const [index, raw] of texts.entries()) {
    // Behind the first, a merged message holds bare texts: a head there was typed.
    if (index > 0) addText(input, { text: raw, ...heard(raw), wrapper: 'message', merged });
    else addFirstText(input, raw, { ...place, merged });
  }
  addOthers(input, message);
}

/** It is about the text in front of it. Whoever wrote on while the model was at work comes behind it. */
function takeContext(input: NewestInput, context: InternalContext | undefined): void {
  const about = input.texts.at(-1);
  if (about && context && context.quotes.length > 0)
    about.quotes = [...(about.quotes ?? []), ...context.quotes];
  // OpenClaw says that it was said aloud, in whatever form its words come.
  if (about && context?.conversation?.source_modality === 'voice' && !isSpoken(about.quotes))
    about.quotes = [
      ...(about.quotes ?? []),
      { kind: about.text.includes('[media attached: ') ? 'unheard' : 'spoken' },
    ];
  input.told = true;
}

function addFirstText(input: NewestInput, raw: string, place: Place & { merged: boolean }): void {
  const inbound = readInboundText(raw, place.facts.senders);
  const event = inboundEvent(inbound, place.request, place.facts);
  if (event && (!place.merged || event.kind === 'note')) {
    input.events.push(event);
    input.last = 'event';
    return;
  }
  const { text, sender, claimed, stamp, wrapper, typed } = inbound;
  const { quotes } = heard(text, inbound.quotes);
  addText(input, {
    text,
    ...(sender ? { sender } : {}),
    ...(claimed === undefined ? {} : { claimed }),
    ...(stamp ? { stamp } : {}),
    ...(quotes ? { quotes } : {}),
    wrapper: wrapper === 'runner' ? 'message' : wrapper,
    ...(typed && { typed }),
    merged: place.merged,
  });
}

function heard(text: string, quotes: readonly Quote[] = []): Pick<NewText, 'quotes'> {
  const kind = heardIn(text);
  const all = kind === undefined ? [...quotes] : [...quotes, { kind }];
  return all.length === 0 ? {} : { quotes: all };
}

function addText(input: NewestInput, text: NewText): void {
  input.texts.push(input.told ? { ...text, bare: true } : text);
  input.last = 'text';
}

/** Pictures belong to the message's first text, where OpenClaw puts the caption. */
function addOthers(input: NewestInput, message: UserMessage): void {
  const of = input.texts.length - 1;
  for (const part of message.parts) {
    if (part.type === 'image') input.images.push({ url: part.url, ...(of >= 0 ? { of } : {}) });
    if (part.type === 'unsupported') input.unsupported.push(part.kind);
  }
}

const isFailedNote = (message: UserMessage): boolean => {
  const [part, ...others] = message.parts;
  return (
    message.shape === 'parts' &&
    others.length === 0 &&
    part?.type === 'text' &&
    part.text.startsWith(FAILED_NOTE)
  );
};
