// Journal rows for whoever watches: one line of words, or the fields of one of JSON.
import type { JournalRow } from '../../protocol/events/events.ts';
import { narrate } from './live/narrate.ts';
import { safeLine } from './safe.ts';

/** The stable NDJSON shape of an event. */
export function eventFields({ event, session, at, seq }: JournalRow): object {
  const { type, ...fields } = event.type === 'session.restored' ? stateless(event) : event;
  return { event: type, session, at: new Date(at).toISOString(), seq, ...fields };
}

/** A whole session is no line: all of it was told by the rows before. */
function stateless({ type, version }: Extract<JournalRow['event'], { type: 'session.restored' }>) {
  return { type, version };
}

/** Longest beginning of an answer that is shown in a line, characters. */
const answerHead = 160;

/** Milliseconds between two lines that say how far the same call is: a screen full of them says nothing. */
const progressMs = 10_000;

/** Turns rows into lines of words; remembers what Claude wrote in each turn, to show it when the turn ends. */
export class RowWords {
  readonly #node: string | undefined;
  readonly #answers = new Map<string, string>();
  /** When it was said last how far a call is. */
  readonly #told = new Map<string, number>();

  /** @param node the machine whose rows they are, where there are several */
  constructor(node?: string) {
    this.#node = node;
  }

  /** @returns the line, or undefined for a row that is not worth one. */
  lineOf(row: JournalRow): string | undefined {
    const { event } = row;
    if (event.type === 'answer.delta' || event.type === 'answer.repaired') {
      const text = this.#answers.get(event.turn) ?? '';
      if (text.length <= answerHead) this.#answers.set(event.turn, text + event.text);
      return undefined;
    }
    if (event.type === 'tool.answered' || event.type === 'tool.dropped') this.#told.delete(event.call);
    if (event.type === 'tool.progressed') {
      const since = row.at - (this.#told.get(event.call) ?? Number.NEGATIVE_INFINITY);
      // A wall clock may be set back.
      if (since >= 0 && since < progressMs) return undefined;
      this.#told.set(event.call, row.at);
    }
    const line = narrate(row, this.#node);
    if (event.type !== 'turn.settled') return line;
    const answer = safeLine(this.#answers.get(event.turn) ?? '').trim();
    this.#answers.delete(event.turn);
    if (answer === '' || line === undefined) return line;
    const shown = answer.length > answerHead ? `${answer.slice(0, answerHead).toWellFormed()}…` : answer;
    return `${line}: ${shown}`;
  }
}
