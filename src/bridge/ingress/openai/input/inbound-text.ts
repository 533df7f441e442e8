// One text as OpenClaw hands it over → what the person wrote, who it was, and what the runner wrapped around it.
import type { Quote } from '../../../../protocol/quote.ts';
import { jsonOf } from '../request/json-text.ts';
import { quoteIn } from './context-quotes.ts';
import { type WireSender, WireSender as WireSenderSchema } from './internal-context.ts';
import {
  FORWARDED_LINE,
  OLD_LABELS,
  QUEUED_HEADS,
  RESTART_HEAD,
  RUNNER_PROMPTS,
  SENDER_LABEL,
} from './markers.ts';
import type { SenderProof } from './openclaw-facts.ts';

/** Who wrote a text, proven by OpenClaw. `id` is authoritative; the others are labels that people choose. */
export interface TextSender {
  id: string;
  name?: string;
  username?: string;
  /** OpenClaw says that a program wrote it. */
  bot?: true;
}

export interface InboundText {
  /** What was written, unchanged. */
  text: string;
  /** `Sat 2026-11-21 00:10 UTC`, as in front of the text. */
  stamp?: string;
  sender?: TextSender;
  /** The name in a block that proves nothing: in front of a message of another channel, or of an old release. */
  claimed?: string;
  /** True when a sender block stood in front, proven or not: a channel message, so no event of OpenClaw's own. */
  headed: boolean;
  /** That it is passed on, and in old releases what it answers, too: later ones say so in the context. */
  quotes?: Quote[];
  /**
   * - `message`: just what was written.
   * - `retry`: the runner repeats `text`, which it has sent before.
   * - `queued`: `text` holds an older unanswered message, a blank line and the new one; see {@link afterQueued}.
   * - `runner`: the runner asks to go on; `text` is its prompt, nobody's words.
   */
  wrapper: 'message' | 'retry' | 'queued' | 'runner';
  /** The wrapper stands behind a sender block: that sender typed it. The runner's own stands in front of one. */
  typed?: true;
}

const stampAtHead =
  /^\[((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?(?: [A-Za-z0-9+:_/-]{1,40})?)\](?: |$)/;
/** `[Telegram alice id:42 +3s Wed 2026-03-04 21:58 CST] `, behind the old blocks only. */
const oldEnvelope = /^\[[A-Z][^\]\n]{0,200} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]{0,40}\] /;
/** Media lines that spring releases put in front of the blocks. */
const oldMediaHead =
  /^((?:\[media attached[^\n]*\]\n)+)(?:To send an image back[^\n]*\n)?(?=Conversation info \(untrusted|Sender \(untrusted)/;
/** A hint without label that newer releases put behind the block. */
const profileHint = /^requester_profile is the verified linked requester\.[^\n]*\n+/;

/**
 * @param senders what a block is worth. Where there is none, one in the text was typed and stays. The blocks of old
 *   releases are stripped everywhere and prove nothing: nobody measured that they cannot be typed, and in today's
 *   releases whoever sees one sees a text of its sender's.
 */
export function readInboundText(raw: string, senders: SenderProof): InboundText {
  const stamped = takeStamp(raw);
  const outer = takeHeader(stamped.rest, senders);
  const unwrapped = unwrap(outer.rest);
  // The block inside of a wrapper counts only if none was outside: whoever has one outside typed the other.
  const inside =
    unwrapped.wrapper === 'message' || outer.headed ? undefined : takeInside(unwrapped.text, senders);
  // In a queued pair the inner block names the older author, which says nothing of the newer text.
  const inner = unwrapped.wrapper === 'retry' ? inside : undefined;
  const { sender, old = false } = (outer.headed ? outer : inner) ?? {};
  const named = sender && labelled(sender, senders === 'proven' && !old);
  const stamp = stamped.stamp ?? inside?.stamp;
  const text = inside ? inside.rest : unwrapped.text;
  const quotes = [
    ...(outer.quotes ?? inside?.quotes ?? []),
    ...(senders !== 'none' && FORWARDED_LINE.test(text) ? [{ kind: 'forwarded' as const }] : []),
  ];
  return {
    text,
    ...(quotes.length > 0 && { quotes }),
    ...(stamp === undefined ? {} : { stamp }),
    ...(senders === 'none' ? {} : named),
    headed: outer.headed || (inside?.headed ?? false),
    wrapper: unwrapped.wrapper,
    ...(outer.headed && unwrapped.wrapper !== 'message' && { typed: true as const }),
  };
}

/**
 * What a `queued` text says anew, given the older texts that were already taken.
 * @returns undefined when none of them is its beginning: then the whole is to be taken as new.
 */
export function afterQueued(text: string, taken: readonly string[]): string | undefined {
  const rests = taken
    .filter((old) => old !== '' && text.startsWith(`${old}\n\n`))
    .map((old) => text.slice(old.length + 2));
  return rests.sort((a, b) => a.length - b.length)[0];
}

function takeStamp(text: string): { stamp?: string; rest: string } {
  const match = stampAtHead.exec(text);
  return match?.[1] ? { stamp: match[1], rest: text.slice(match[0].length) } : { rest: text };
}

interface Headed {
  headed: boolean;
  /** By blocks of a release before 2026.9. */
  old?: true;
  sender?: WireSender;
  quotes?: Quote[];
  rest: string;
}

function takeInside(text: string, senders: SenderProof): Headed & { stamp?: string } {
  const stamped = takeStamp(text);
  return { ...stamped, ...takeHeader(stamped.rest, senders) };
}

/** Takes one sender block, or the old blocks. A second block is the user's own text, and so is one where none is due. */
function takeHeader(text: string, senders: SenderProof): Headed {
  const block = senders === 'none' ? undefined : takeBlock(text, SENDER_LABEL);
  if (!block) return takeOldHeader(text);
  const info = block.value as { sender?: unknown } | undefined;
  const sender = senderOf(info?.sender);
  return { headed: true, ...(sender ? { sender } : {}), rest: block.rest.replace(profileHint, '') };
}

function takeOldHeader(text: string): Headed {
  const media = oldMediaHead.exec(text);
  let rest = media ? text.slice(media[0].length) : text;
  let sender: WireSender | undefined;
  const quotes: Quote[] = [];
  let headed = false;
  for (let label = labelOf(rest, OLD_LABELS), left = OLD_LABELS; label; label = labelOf(rest, left)) {
    const taken = label;
    const block = takeBlock(rest, taken);
    if (!block) break;
    left = left.filter((each) => each !== taken);
    if (taken.startsWith('Sender ')) sender = senderOf(block.value) ?? sender;
    if (taken.startsWith('Conversation ')) sender ??= oldSenderOf(block.value);
    const quote = quoteIn(taken.replace(/ \(untrusted.*$/, ''), block.value);
    if (quote) quotes.push(quote);
    rest = block.rest;
    headed = true;
  }
  if (!headed) return { headed, rest: text };
  rest = takeStamp(rest).rest.replace(oldEnvelope, '');
  return { headed, old: true, ...(sender ? { sender } : {}), quotes, rest: `${media?.[1] ?? ''}${rest}` };
}

const labelOf = (text: string, labels: readonly string[]) =>
  labels.find((label) => text.startsWith(`${label}\n`));

/** `label`, a fenced JSON object, a blank line. Anything else is the user's text. */
function takeBlock(text: string, label: string): { value: object; rest: string } | undefined {
  const head = `${label}\n\`\`\`json\n`;
  if (!text.startsWith(head)) return undefined;
  const end = text.indexOf('\n```', head.length - 1);
  if (end === -1) return undefined;
  const value = jsonOf(text.slice(head.length, end));
  const after = text.slice(end + '\n```'.length);
  if (typeof value !== 'object' || value === null || (after !== '' && !after.startsWith('\n')))
    return undefined;
  return { value, rest: after.replace(/^\n{1,2}/, '') };
}

function senderOf(value: unknown): WireSender | undefined {
  const sender = WireSenderSchema.safeParse(value);
  return sender.success ? sender.data : undefined;
}

function oldSenderOf(value: object): WireSender | undefined {
  const info = value as { sender_id?: unknown; sender?: unknown };
  return typeof info.sender === 'object'
    ? senderOf(info.sender)
    : senderOf({ id: info.sender_id, name: info.sender });
}

function labelled(sender: WireSender, proven: boolean): Pick<InboundText, 'sender' | 'claimed'> {
  if (proven) return sender.id ? { sender: provenSender(sender.id, sender) } : {};
  const claimed = sender.name ?? sender.username ?? sender.id;
  return claimed === undefined ? {} : { claimed };
}

const provenSender = (id: string, { name, username, is_bot = false }: WireSender): TextSender => ({
  id,
  ...(is_bot ? { bot: true } : {}),
  ...(name === undefined ? {} : { name }),
  ...(username === undefined ? {} : { username }),
});

/** Heads and runner prompts nest when a retry is retried. */
function unwrap(text: string): Pick<InboundText, 'text' | 'wrapper'> {
  if (isRunnerPrompt(text)) return { text, wrapper: 'runner' };
  let rest = text;
  for (let head = headOf(rest); head; head = headOf(rest)) rest = rest.slice(head.length);
  if (rest === text) return { text, wrapper: 'message' };
  const queued = rest;
  for (let tail = tailOf(rest); tail; tail = tailOf(rest)) rest = rest.slice(0, -tail.length);
  if (isRunnerPrompt(rest)) return { text: rest, wrapper: 'runner' };
  return { text: rest, wrapper: rest === queued ? 'queued' : 'retry' };
}

const isRunnerPrompt = (text: string) => RUNNER_PROMPTS.includes(text) || text.startsWith(RESTART_HEAD);
const headOf = (text: string) => QUEUED_HEADS.find((head) => text.startsWith(head));
const tailOf = (text: string) =>
  RUNNER_PROMPTS.map((prompt) => `\n\n${prompt}`).find((tail) => text.endsWith(tail)) ?? restartIn(text);

/** Its end tells what is known of that turn, and is another one each time. */
function restartIn(text: string): string | undefined {
  const at = text.indexOf(`\n\n${RESTART_HEAD}`);
  return at < 0 ? undefined : text.slice(at);
}
