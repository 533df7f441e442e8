// The answer's text as its readers see it: only ever appended to, whatever order the pieces arrive in.
import type { SessionEvent } from '../../protocol/events/events.ts';
import { Text } from './text.ts';

type Delta = Pick<
  Extract<SessionEvent, { type: 'answer.delta' }>,
  'message' | 'index' | 'text' | 'final' | 'straight'
>;

/** Pieces of a message without a gap between them, which wait for one before them. */
export interface Run {
  /** Index of the first piece. */
  from: number;
  /** Index behind the last piece. */
  next: number;
  text: Text;
  /** The message ends with it. */
  final: boolean;
}

export interface MessageProgress {
  id: string;
  /** Index of the next piece that becomes visible. */
  next: number;
  /** Where this message starts in the text; -1 until its first piece is visible. */
  start: number;
  done: boolean;
  /** What waits for an earlier piece, in order. */
  held: readonly Run[];
  /** Something else came behind it: what follows is said on purpose. */
  left?: true;
  /** It may be the message before once more, which starts there; so much of it is the same. */
  again?: { start: number; same: number };
}

export interface Answer {
  readonly text: Text;
  /** In order; of those that are complete only the newest. */
  readonly messages: readonly MessageProgress[];
  /** Where Claude Code's own copy of the last message stands in the text, if pieces were missing. */
  readonly repaired?: number;
}

export const noAnswer: Answer = { text: Text.empty, messages: [] };

/** Complete messages that are remembered, so that a hook of theirs that is delivered twice is known again. */
const keptMessages = 64;

/** Two messages of one turn are separate paragraphs for whoever reads them as one text. */
function separator(text: Text): string {
  const end = text.slice(-2);
  if (end === '' || end === '\n\n') return '';
  return end.endsWith('\n') ? '\n' : '\n\n';
}

/** Said where pieces never came, which only happens where the bridge or Claude Code broke off. */
const hole = '_(a part of the answer is missing here: it did not reach the bridge)_';

const withHole = (text: Text): Text => text.append(`${separator(text)}${hole}\n\n`);

/** True when this piece was already taken: hooks may be delivered twice. */
export function isKnown(answer: Answer, { message, index }: Pick<Delta, 'message' | 'index'>): boolean {
  const known = answer.messages.findLast(({ id }) => id === message);
  if (!known) return false;
  return index < known.next || known.held.some(({ from, next }) => from <= index && index < next);
}

/** True when this piece has been seen, also in Claude Code's own copy of the last message. */
export function hasText(answer: Answer, delta: Delta): boolean {
  if (answer.messages.some(({ id }) => id === delta.message)) return true;
  const { repaired, text } = answer;
  return repaired !== undefined && text.slice(repaired).includes(delta.text.trim());
}

/** True when nothing of the last message is missing. */
export const isWhole = (answer: Answer, last: string): boolean =>
  last.trimEnd() === '' || (answer.messages.length > 0 && missingText(answer, last) === '');

/** Claude does something else before it says more. */
export function leave(answer: Answer): Answer {
  const last = answer.messages.at(-1);
  if (!last || last.left) return answer;
  return { ...answer, messages: answer.messages.with(-1, { ...last, left: true }) };
}

/**
 * True when this begins a message behind one that is complete, with nothing in between. Claude Code closes a message whose
 * stream broke off, and says all of it again in another one (measured on 2.1.332).
 */
export function isStraight({ messages }: Answer, { message }: Pick<Delta, 'message'>): boolean {
  const last = messages.at(-1);
  return last?.done === true && !last.left && messages.every(({ id }) => id !== message);
}

/** Adds a piece. A message becomes visible only after the one before it is complete. */
export function addDelta(answer: Answer, delta: Delta): Answer {
  const next = goOn(answer, delta);
  if (next) return next;
  if (isKnown(answer, delta)) return answer;
  const at = answer.messages.findLastIndex(({ id }) => id === delta.message);
  const message = answer.messages[at] ?? begun(answer, delta);
  const taken = { ...message, held: hold(message.held, delta) };
  const messages = at < 0 ? [...answer.messages, taken] : answer.messages.with(at, taken);
  const waiting = { text: answer.text, messages };
  // Behind a message that is not complete.
  if (messages.find(({ done }) => !done) !== taken) return waiting;
  const revealed = reveal(waiting, false);
  return { ...revealed, messages: forgetOldest(revealed.messages) };
}

function begun({ messages }: Answer, { message: id, straight }: Delta): MessageProgress {
  const { start = -1, done, left } = messages.at(-1) ?? {};
  const again = straight && done && !left && start >= 0 ? { again: { start, same: 0 } } : {};
  return { id, next: 0, start: -1, done: false, held: [], ...again };
}

/** What nearly every piece is: the next one of the message that is visible and open. @returns undefined for any other */
function goOn({ text, messages }: Answer, delta: Delta): Answer | undefined {
  const open = messages.at(-1);
  const isNext = open?.id === delta.message && open.next === delta.index && !open.done;
  // What is not visible yet has pieces that wait.
  if (!isNext || open.held.length > 0) return undefined;
  const message = { ...open, next: open.next + 1, done: delta.final };
  return { text: text.append(delta.text), messages: forgetOldest(messages.with(-1, message)) };
}

/** Goes on with the run that it follows, or begins one. */
function hold(held: readonly Run[], { index, text, final }: Delta): readonly Run[] {
  const at = held.findLastIndex(({ from }) => from < index);
  const run = held[at];
  return run?.next === index
    ? held.with(at, { ...run, next: index + 1, text: run.text.append(text), final: run.final || final })
    : held.toSpliced(at + 1, 0, { from: index, next: index + 1, text: Text.of(text), final });
}

function forgetOldest(messages: readonly MessageProgress[]): readonly MessageProgress[] {
  const over = messages.length - keptMessages;
  const open = messages.findIndex(({ done }) => !done);
  const gone = open < 0 ? over : Math.min(over, open);
  return gone > 0 ? messages.slice(gone) : messages;
}

function reveal({ text: before, messages }: Answer, gapsAllowed: boolean): Answer {
  let text = before;
  const revealed = [...messages];
  for (const [at, message] of messages.entries()) {
    if (message.done) continue;
    const known = repeated(text, message, gapsAllowed);
    const next = known.again ? { text, message: known } : revealMessage(text, known, gapsAllowed);
    text = next.text;
    revealed[at] = next.message;
    if (!next.message.done && !gapsAllowed) break;
  }
  return { text, messages: revealed };
}

/**
 * What of a message that may be a repetition is said already: it waits while it is the same, goes on behind that, or is one
 * of its own.
 * @param isLast nothing more of it comes
 */
function repeated(text: Text, message: MessageProgress, isLast: boolean): MessageProgress {
  const { again, ...own } = message;
  if (!again) return message;
  const [run, ...later] = joined(own.held);
  if (run?.from !== 0) return isLast ? own : message;
  const at = again.start + again.same;
  const piece = run.text.slice(again.same, text.length - again.start);
  if (text.slice(at, at + piece.length) !== piece) return own;
  const same = again.same + piece.length;
  if (again.start + same === text.length) {
    const rest = { ...run, text: Text.of(run.text.slice(same)) };
    return { ...own, start: again.start, held: [rest, ...later] };
  }
  const isOther = run.final || (isLast && later.length > 0);
  return isOther ? own : { ...own, held: [run, ...later], again: { ...again, same } };
}

/** The first runs as one, where there is no gap between them. */
function joined(held: readonly Run[]): readonly Run[] {
  const [first, second, ...later] = held;
  if (!first || second?.from !== first.next) return held;
  const text = first.text.append(String(second.text));
  return joined([{ ...second, from: first.from, text }, ...later]);
}

function revealMessage(before: Text, message: MessageProgress, gapsAllowed: boolean) {
  let { next, start, done } = message;
  let text = before;
  const held = [...message.held];
  for (let run = held[0]; run && (gapsAllowed || run.from === next); run = held[0]) {
    held.shift();
    if (start < 0) {
      text = text.append(separator(text));
      start = text.length;
    }
    if (run.from > next) text = withHole(text);
    next = run.next;
    done ||= run.final;
    text = text.append(String(run.text));
  }
  return { text, message: { ...message, next, start, done, held } };
}

/**
 * What must be appended at the turn's end so that nothing Claude wrote is missing: pieces still held behind a gap, and
 * whatever of `last` (Claude Code's own copy of the last message, right-trimmed) never came as a piece.
 */
export function missingText(answer: Answer, last: string | undefined): string {
  const { text } = answer;
  const whole = (last ?? '').trimEnd();
  const current = answer.messages.at(-1);
  if (whole !== '' && current && current.start >= 0) {
    if (text.begins(whole, current.start)) return whole.slice(text.length - current.start);
    const end = current.start + whole.length;
    if (text.slice(end).trim() === '' && text.slice(current.start, end) === whole) return '';
  }
  const flushed = reveal(answer, true).text;
  const rest = flushed.slice(text.length);
  if (whole === '' || String(flushed).trimEnd().endsWith(whole)) return rest;
  // `whole` stands for the pieces of its own message; those of earlier ones are told nowhere else.
  const covered = current !== undefined && isWithin(whole, current);
  const messages = covered ? answer.messages.slice(0, -1) : answer.messages;
  const others = reveal({ text, messages }, true).text;
  return `${others.slice(text.length)}${separator(others)}${whole}`;
}

const isWithin = (whole: string, { held }: MessageProgress): boolean =>
  held.every(({ text }) => whole.includes(String(text).trimEnd()));

export function appendText(answer: Answer, text: string): Answer {
  return { ...answer, text: answer.text.append(text), repaired: answer.text.length };
}
