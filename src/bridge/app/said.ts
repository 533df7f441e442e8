import { Text } from '../../domain/state/text.ts';

/** A stretch of a text. */
interface Part {
  /** Where it stands in what was said. */
  at: number;
  text: Text;
  from: number;
  to: number;
  /** The turn whose answer `text` is; undefined for words of our own. */
  turn?: string;
}

/**
 * What a reader has said: words of our own, and stretches of answers, of which it holds only the places. So it costs
 * next to nothing, however long the answers are. Places and lengths in UTF-16 code units.
 */
export class Said {
  readonly #parts: Part[] = [];

  get length(): number {
    const last = this.#parts.at(-1);
    return last ? last.at + last.to - last.from : 0;
  }

  /** Words of our own. */
  add(words: string): void {
    if (words !== '') this.#parts.push({ at: this.length, text: Text.of(words), from: 0, to: words.length });
  }

  /** The part `from`–`to` of the answer of `turn`. */
  quote(turn: string, text: Text, from: number, to: number): void {
    if (from >= to) return;
    const last = this.#parts.at(-1);
    if (last?.turn === turn && last.to === from) {
      last.text = text;
      last.to = to;
    } else this.#parts.push({ at: this.length, text, from, to, turn });
  }

  /** As a string's. What it returns may keep more than itself in memory: send it, do not store it. */
  slice(from = 0, to = this.length): string {
    const first = from < 0 ? Math.max(0, this.length + from) : from;
    const start = Math.max(
      0,
      this.#parts.findLastIndex(({ at }) => at <= first),
    );
    let part = '';
    for (let n = start; n < this.#parts.length; n += 1) {
      const { at, text, from: begin, to: end } = this.#parts[n] as Part;
      if (at >= to) break;
      part += text.slice(begin + Math.max(0, first - at), Math.min(end, begin + to - at));
    }
    return part;
  }

  charCodeAt(at: number): number {
    return this.slice(at, at + 1).charCodeAt(0);
  }

  /** All of it, in one string. */
  toString(): string {
    return this.slice();
  }
}
