// The answer's text as its readers see it: only ever appended to, whatever order the pieces arrive in.
import type { SessionEvent } from '../protocol/events.ts';

type Delta = Extract<SessionEvent, { type: 'answer.delta' }>;

interface MessageProgress {
  id: string;
  /** Index of the next piece that becomes visible. */
  next: number;
  /** Where this message starts in the text; -1 until its first piece is visible. */
  start: number;
  done: boolean;
  /** Pieces that wait for an earlier one. */
  held: ReadonlyMap<number, { text: string; final: boolean }>;
}

export interface Answer {
  readonly text: string;
  readonly messages: readonly MessageProgress[];
}

export const noAnswer: Answer = { text: '', messages: [] };

/** Two messages of one turn are separate paragraphs for whoever reads them as one text. */
function separator(text: string): string {
  if (text === '' || text.endsWith('\n\n')) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}

/** Said where pieces never came, which only happens where the bridge or Claude Code broke off. */
const hole = '_(a part of the answer is missing here: it did not reach the bridge)_';

const withHole = (text: string): string => `${text}${separator(text)}${hole}\n\n`;

/** True when this piece was already taken: hooks may be delivered twice. */
export function isKnown(answer: Answer, delta: Pick<Delta, 'message' | 'index'>): boolean {
  const message = answer.messages.find((m) => m.id === delta.message);
  return message !== undefined && (delta.index < message.next || message.held.has(delta.index));
}

/** Adds a piece. A message becomes visible only after the one before it is complete. */
export function addDelta(answer: Answer, delta: Delta): Answer {
  if (isKnown(answer, delta)) return answer;
  const known = answer.messages.some((m) => m.id === delta.message);
  const fresh: MessageProgress = { id: delta.message, next: 0, start: -1, done: false, held: new Map() };
  const messages = (known ? answer.messages : [...answer.messages, fresh]).map((m) =>
    m.id === delta.message
      ? { ...m, held: new Map(m.held).set(delta.index, { text: delta.text, final: delta.final }) }
      : m,
  );
  return reveal(answer.text, messages, false);
}

function reveal(before: string, messages: readonly MessageProgress[], gapsAllowed: boolean): Answer {
  let text = before;
  let blocked = false;
  const revealed = messages.map((message) => {
    if (blocked || message.done) return message;
    const next = revealMessage(text, message, gapsAllowed);
    text = next.text;
    blocked = !next.message.done && !gapsAllowed;
    return next.message;
  });
  return { text, messages: revealed };
}

function revealMessage(before: string, message: MessageProgress, gapsAllowed: boolean) {
  let { next, start, done } = message;
  let text = before;
  const held = new Map(message.held);
  while (held.size > 0) {
    const index = gapsAllowed ? Math.min(...held.keys()) : next;
    const piece = held.get(index);
    if (!piece) break;
    held.delete(index);
    if (start < 0) {
      text += separator(text);
      start = text.length;
    }
    if (index > next) text = withHole(text);
    next = index + 1;
    done ||= piece.final;
    text += piece.text;
  }
  return { text, message: { ...message, next, start, done, held } };
}

/**
 * What must be appended at the turn's end so that nothing Claude wrote is missing: pieces still held behind a gap, and
 * whatever of `last` (Claude Code's own copy of the last message, right-trimmed) never came as a piece.
 */
export function missingText(answer: Answer, last: string | undefined): string {
  const whole = (last ?? '').trimEnd();
  const current = answer.messages.at(-1);
  if (whole !== '' && current && current.start >= 0) {
    const visible = answer.text.slice(current.start);
    if (whole.startsWith(visible) || whole === visible.trimEnd()) return whole.slice(visible.length);
  }
  const flushed = reveal(answer.text, answer.messages, true).text;
  const rest = flushed.slice(answer.text.length);
  if (whole === '' || flushed.trimEnd().endsWith(whole)) return rest;
  // `whole` stands for the pieces of its own message; those of earlier ones are told nowhere else.
  const covered = current !== undefined && isWithin(whole, current);
  const others = reveal(answer.text, covered ? answer.messages.slice(0, -1) : answer.messages, true).text;
  return `${others.slice(answer.text.length)}${separator(others)}${whole}`;
}

const isWithin = (whole: string, { held }: MessageProgress): boolean =>
  [...held.values()].every(({ text }) => whole.includes(text.trimEnd()));

export function appendText(answer: Answer, text: string): Answer {
  return { ...answer, text: answer.text + text };
}
