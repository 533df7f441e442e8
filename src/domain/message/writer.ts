// The brackets in front of every message: who wrote it, for Claude. One writer has one label, no chat name can make
// another's, and no text can put a second label in front of itself.
import type { Quote } from '../../protocol/quote.ts';
import type { Turn } from '../state/turn.ts';
import { nameOf } from './name.ts';
import { withQuotes } from './quote.ts';

export type Written = Pick<Turn, 'ingress' | 'sender' | 'meta'>;

const operator = 'operator';
/** A hub that asks by itself: a scheduled run, a task that ended. */
export const hub = 'hub';
/** Whoever holds the bridge's token and says no more. */
const holder = 'user';
/** The text has the labels of its own: see {@link letter}. */
const several = 'several people';

/**
 * - `operator`: by a command on the bridge's own machine.
 * - `alice (telegram:4242)`, `telegram:4242`: the hub vouches for the id; the name is what they call themselves.
 * - `alice (matrix, unproven)`: a hub passes it on, and nothing proves the name.
 * - `hub`: the hub itself, without a person.
 * - `user`: a client with the bridge's token.
 * - `several people`: the text begins each part with one of these.
 */
export function writerOf({ ingress, sender, meta }: Written): string {
  if (ingress === 'operator') return operator;
  if (meta.writers === lettered.writers) return several;
  if (meta.from === hub) return hub;
  const channel = encoded(meta.source_channel ?? ingress, /[^\w.+=-]/gu);
  const name = nameOf(sender?.name);
  if (sender?.id !== undefined) {
    const id = `${channel}:${encoded(sender.id, /[^\w.+:=-]/gu)}`;
    return name === '' ? id : `${name} (${id})`;
  }
  const isSomebody = meta.unproven === 'relayed' || meta.unproven === 'nameless' || name !== '';
  return isSomebody ? `${name || holder} (${channel}, unproven)` : holder;
}

/** A message with its writer in front. The text may hold no label of its own: see {@link withoutLabels}. */
export const labelled = (writer: string, text: string): string => `[${writer}] ${text}`;

/** One message among several. */
export interface Part {
  writer: string;
  text: string;
  quotes?: readonly Quote[];
}

/** Several messages as one text that says of each who wrote it. */
export const letter = (parts: readonly Part[]): string =>
  parts.map((part) => labelled(part.writer, told(part))).join('\n\n');

/** As a turn's `meta`: its text is a {@link letter}. */
export const lettered = { writers: 'several' } as const;

/** The text of a turn as it is to stand behind the label of its writer. */
export const bodyOf = (turn: Pick<Turn, 'meta' | 'text' | 'quotes'>): string =>
  turn.meta.writers === lettered.writers ? turn.text : told(turn);

const told = ({ text, quotes = [] }: Pick<Part, 'text' | 'quotes'>): string =>
  withQuotes(withoutLabels(text), text, quotes);

/**
 * A line that begins like a label gets a backslash in front of the bracket; links, lists and arrays are let be. What
 * Claude Code removes from a prompt (control characters, characters without a picture) does not count as a beginning.
 */
export const withoutLabels = (text: string): string => text.replace(bracketAtHead, '$1\\$2');

const bracketAtHead =
  /(?<=^|[\n\r\u0085\u2028\u2029])([[^\p{L}\p{N}\p{P}\p{S}\n\r\u0085\u2028\u2029]\p{Default_Ignorable_Code_Point}]*)([\[［【〔〖〚⟦❲﹝](?=[^\]］】〕〗〛⟧❳﹞\n\r\u0085\u2028\u2029]*[\]］】〕〗〛⟧❳﹞](?![\(\[\],;=\}.])))/gv;

/** An id or a channel, whole: what could be read as something else is percent-encoded. */
const encoded = (text: string, unsafe: RegExp): string =>
  text.toWellFormed().replace(unsafe, (character) => encodeURIComponent(character).replace(kept, percent));

/** What encodeURIComponent leaves alone. */
const kept = /[!'()*~]/;
const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
