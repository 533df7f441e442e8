/** Cuts a byte stream into lines. A line longer than `maxChars` is an error: nobody legitimate sends one. */
export class LineSplitter {
  readonly #maxChars: number;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** @throws RangeError when a line grows beyond the limit. Empty lines are left out. */
  push(chunk: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > this.#maxChars)
      throw new RangeError(`line longer than ${this.#maxChars} characters`);
    return lines.filter((line) => line.trim() !== '');
  }
}
