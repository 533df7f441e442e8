// The text of an answer. A string would do, were it not so long: an engine that looks into a string which has grown copies
// all of it first, and a part that somebody keeps keeps all of it, so that a long answer cost the square of its length.

/** What of a long text is needed to read it part by part: a string has it, too. */
export type Readable = Pick<string, 'length' | 'slice' | 'charCodeAt'>;

/**
 * Length of a block, UTF-16 code units. Whoever looks into what has come since copies a half of it, on average: with
 * 16,384 that was a tenth of a text's way through the bridge (measured).
 */
const blockLength = 4_096;

/** So many pieces are made one string: the tree of them takes many times their room. */
const mostPieces = 32;

/** Of a string that has grown, a part is a copy in one piece. */
const joined = (grown: string): string => `${grown}.`.slice(0, -1);

/**
 * Text that grows at its end, in blocks of one length: the next text shares all full ones with the one before, and a part
 * is read without touching the rest. Immutable; equal texts have equal fields, however they grew. All lengths and places
 * are in UTF-16 code units, as a string's.
 */
export class Text {
  static readonly empty = new Text([], '', '', 0);

  readonly blocks: readonly string[];
  /** Shorter than a block. */
  readonly tail: string;
  /** What it ends with as it came: who reads along takes that, and nothing is copied. */
  readonly #newest: string;
  /** How many pieces the tail has grown by since it was one. */
  readonly #pieces: number;

  private constructor(blocks: readonly string[], tail: string, newest: string, pieces: number) {
    this.blocks = blocks;
    this.tail = tail;
    this.#newest = newest;
    this.#pieces = pieces;
  }

  static of(text: string): Text {
    return Text.empty.append(text);
  }

  get length(): number {
    return this.blocks.length * blockLength + this.tail.length;
  }

  append(more: string): Text {
    if (more === '') return this;
    const tail = this.tail + more;
    if (tail.length < blockLength)
      return this.#pieces < mostPieces
        ? new Text(this.blocks, tail, more, this.#pieces + 1)
        : new Text(this.blocks, joined(tail), more, 0);
    const full = Math.floor(tail.length / blockLength) * blockLength;
    const blocks = [...this.blocks];
    // As above, a part: all of it would be the tree of its pieces.
    const longer = `${tail}.`;
    for (let at = 0; at < full; at += blockLength) blocks.push(longer.slice(at, at + blockLength));
    return new Text(blocks, longer.slice(full, -1), '', 0);
  }

  /**
   * As a string's. What it returns may keep more than itself in memory: send it, do not store it.
   *
   * @param from counted from the end when it is negative
   */
  slice(from = 0, to = this.length): string {
    const first = from < 0 ? Math.max(0, this.length + from) : from;
    const newest = this.length - this.#newest.length;
    if (first >= newest) return this.#newest.slice(first - newest, Math.max(0, to - newest));
    let part = '';
    for (let block = Math.floor(first / blockLength); block * blockLength < to; block += 1) {
      const start = block * blockLength;
      const text = this.blocks[block] ?? this.tail;
      part += text.slice(Math.max(0, first - start), to - start);
      if (block >= this.blocks.length) break;
    }
    return part;
  }

  /** NaN outside of the text, as a string's. */
  charCodeAt(at: number): number {
    const text = this.blocks[Math.floor(at / blockLength)] ?? this.tail;
    return at < this.length ? text.charCodeAt(at % blockLength) : Number.NaN;
  }

  /** Whether `whole` begins with this text from `from` on. */
  begins(whole: string, from: number): boolean {
    if (whole.length < this.length - from) return false;
    for (let at = from; at < this.length; at += blockLength)
      if (!whole.startsWith(this.slice(at, at + blockLength), at - from)) return false;
    return true;
  }

  /** All of it, in one string. */
  toString(): string {
    return this.blocks.join('') + this.tail;
  }
}

/** Where a part of `text` ends that begins at `from` and has at most `most` units: not in the middle of a character. */
export function partEnd(text: Readable, from: number, most: number): number {
  const end = from + most;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
