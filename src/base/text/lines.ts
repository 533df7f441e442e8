/** Cuts a byte stream into lines. A line longer than `maxChars` is an error: nobody legitimate sends one. */
export class LineSplitter {
  readonly #maxChars: number;
  readonly #decoder = new TextDecoder();
  /** What came since the last line end. Joined once it is a line: a line may come byte by byte. */
  #parts: string[] = [];
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** @throws RangeError when a line grows beyond the limit. Empty lines are left out. */
  push(chunk: Uint8Array): string[] {
    const lines = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.#parts.join('') + lines[0];
      this.#parts = [];
      this.#chars = 0;
    }
    this.#parts.push(rest);
    this.#chars += rest.length;
    if (this.#chars > this.#maxChars) throw new RangeError(`line longer than ${this.#maxChars} characters`);
    return lines.filter((line) => line.trim() !== '');
  }
}
