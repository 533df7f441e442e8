// A text that goes out otherwise than it was written: stretches of it, and words in place of others. Nothing is copied.

/** What of a text is needed to read it part by part: a string has it, too. */
export type Readable = Pick<string, 'length' | 'slice' | 'charCodeAt'>;

interface Part {
  /** Where it stands in what goes out. */
  readonly at: number;
  readonly text: Readable;
  readonly from: number;
  to: number;
}

export class Edited implements Readable {
  readonly #parts: Part[] = [];

  get length(): number {
    const last = this.#parts.at(-1);
    return last ? last.at + last.to - last.from : 0;
  }

  /** Appends `from`–`to` of a text that may still grow behind that. */
  quote(text: Readable, from: number, to: number): void {
    if (from >= to) return;
    const last = this.#parts.at(-1);
    if (last?.text === text && last.to === from) last.to = to;
    else this.#parts.push({ at: this.length, text, from, to });
  }

  add(words: string): void {
    this.quote(words, 0, words.length);
  }

  /** As a string's. */
  slice(from = 0, to = this.length): string {
    const start = from < 0 ? Math.max(0, this.length + from) : from;
    const first = this.#parts.findLastIndex(({ at }) => at <= start);
    let all = '';
    for (const part of this.#parts.slice(Math.max(0, first))) {
      if (part.at >= to) break;
      all += part.text.slice(
        part.from + Math.max(0, start - part.at),
        Math.min(part.to, part.from + to - part.at),
      );
    }
    return all;
  }

  charCodeAt(at: number): number {
    return this.slice(at, at + 1).charCodeAt(0);
  }
}
