// A text on its way out, as it grows: what is secret in it is replaced by its kind, and what may become a secret waits.
import type { Place } from '../secret.ts';
import { Edited, type Readable } from './edited.ts';
import { farName, heldFrom, mayHaveSecrets, nearName } from './held.ts';
import { beginningAt, formsOf, valuePlaces } from './values.ts';

export interface MaskOptions {
  /** What is secret by its kind; sorted, none over another. */
  find(text: string): readonly Place[];
  /** What is secret by its value. */
  values: readonly string[];
  /** Stretches that a person decides by: only values are replaced there. */
  exempt?(): readonly (readonly [from: number, to: number])[];
}

/** Characters behind what has gone that a name still counts in, that a table may have, and that a key may have. */
const back = { near: 400, far: 2_500, table: 12_000, secret: 30_000 };
/** A secret that still grows goes out as its kind from here on, characters. */
const longestWait = 2_000;

export class MaskedText {
  readonly #source: Readable;
  readonly #options: MaskOptions;
  readonly #forms: readonly string[];
  readonly #out = new Edited();
  /** Everything before it has gone. */
  #done = 0;
  /** Where reading begins, so that a name that has gone still counts. */
  #from = 0;
  /** The secret that was replaced last, as far as it has gone. */
  #last: { start: number; end: number } | undefined;
  #count = 0;

  constructor(source: Readable, options: MaskOptions) {
    this.#source = source;
    this.#options = options;
    this.#forms = formsOf(options.values);
  }

  /** How many secrets were replaced. */
  get count(): number {
    return this.#count;
  }

  /** Something waits. */
  get waits(): boolean {
    return this.#done < this.#source.length;
  }

  /** What has gone. */
  get said(): Edited {
    return this.#out;
  }

  /** Words behind the text. */
  add(words: string): void {
    this.#out.add(words);
  }

  /**
   * What can go now.
   *
   * @param isEnd nothing follows, or not soon: nothing waits any longer
   * @param limit the text counts up to here
   */
  take(isEnd: boolean, limit = this.#source.length): string {
    if (limit <= this.#done) return '';
    const before = this.#out.length;
    const text = this.#source.slice(this.#from, limit);
    const at = (place: number): number => place - this.#from;
    const held = isEnd ? text.length : Math.min(heldFrom(text), beginningAt(text, this.#forms));
    if (held <= at(this.#done)) return '';
    const places = this.#placesIn(text);
    const until = this.#from + openAt(places, held, at(this.#done));
    for (const { start, end, kind } of places)
      this.#replace(this.#from + start, this.#from + end, kind, until);
    this.#plain(until);
    this.#from = this.#begin();
    return this.#out.slice(before);
  }

  #placesIn(text: string): Place[] {
    const own = valuePlaces(text, this.#forms);
    if (!mayHaveSecrets(text)) return own;
    const exempt = this.#options.exempt?.();
    const isFree = ({ start, end }: Place): boolean =>
      !exempt?.some(([from, to]) => this.#from + start < to && from < this.#from + end) &&
      !own.some((each) => each.start < end && start < each.end);
    return [...own, ...this.#options.find(text).filter(isFree)].sort((a, b) => a.start - b.start);
  }

  #replace(start: number, end: number, kind: string, until: number): void {
    if (end <= this.#done || start >= until) return;
    this.#plain(Math.max(start, this.#done));
    // Of one that has begun to go the mark has gone as well.
    const { end: last } = this.#last ?? { end: -1 };
    const isNew = start >= last || this.#source.slice(last, this.#done).trim() !== '';
    if (isNew) {
      this.#out.add(`‹secret: ${kind}›`);
      this.#count += 1;
    }
    const to = Math.min(end, until);
    this.#out.add(this.#source.slice(this.#done, to).replace(/[^\r\n]/g, ''));
    this.#last = { start, end: to };
    this.#done = to;
  }

  #plain(until: number): void {
    this.#out.quote(this.#source, this.#done, until);
    this.#done = until;
  }

  /** From where what follows has to be read: a line, a table or a key that is not over, or the first name before it. */
  #begin(): number {
    const line = this.#lineAt(this.#done, back.far);
    const near = this.#named(back.near, nearName) ?? line;
    const far = this.#named(back.far, farName) ?? line;
    const table = this.#source.slice(line, this.#done).includes('|') ? this.#tableAt(line) : line;
    const last = this.#last?.end === this.#done ? this.#last.start : line;
    const secret = this.#done - last > back.secret ? line : this.#lineAt(last, back.far);
    return Math.min(line, near, far, table, secret);
  }

  /** Where the line of the first name begins that stands at most so far back. */
  #named(most: number, search: (text: string) => number): number | undefined {
    const from = Math.max(0, this.#done - most);
    const at = search(this.#source.slice(from, this.#done));
    return at < 0 ? undefined : this.#lineAt(from + at, back.far);
  }

  /** Where the line of a place begins, or a bound before it. */
  #lineAt(place: number, most: number): number {
    const from = Math.max(0, place - most);
    return from + this.#source.slice(from, place).slice(0, -1).lastIndexOf('\n') + 1;
  }

  #tableAt(line: number): number {
    const from = Math.max(0, line - back.table);
    const lines = this.#source.slice(from, line).split('\n');
    let at = line;
    for (const each of lines.slice(0, -1).toReversed()) {
      if (!each.includes('|')) break;
      at -= each.length + 1;
    }
    return nearName(this.#source.slice(at, at + back.near)) < 0 ? line : at;
  }
}

/** A secret that reaches into what waits, waits whole; one that is too long goes out as far as it is known. */
function openAt(places: readonly Place[], held: number, done: number): number {
  const open = places.find(({ end }) => end > held);
  if (!open || open.start < done || held - open.start > longestWait) return held;
  return Math.min(open.start, held);
}
