/** Kept of what a provider prints for people. */
const mostLines = 20;
const longestLine = 2_000;

/** The last lines that a provider printed. Made readable when somebody reads them. */
export class Printed {
  readonly #clean: (text: string) => string;
  #lines: string[] = [];
  #rest = '';

  constructor(clean: (text: string) => string) {
    this.#clean = clean;
  }

  add(text: string): void {
    // Of a piece without line ends only its end can be read later.
    const lines = `${this.#rest}${text.slice(-mostLines * longestLine)}`.split('\n');
    this.#rest = (lines.pop() ?? '').slice(-longestLine);
    this.#lines = [...this.#lines, ...lines].slice(-mostLines);
  }

  /** Oldest first. */
  get lines(): string[] {
    return [...this.#lines, this.#rest]
      .map((line) => this.#clean(line.slice(0, longestLine)))
      .filter((line) => line !== '')
      .slice(-mostLines);
  }
}
