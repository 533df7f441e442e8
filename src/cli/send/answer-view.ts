// The answer on standard output, and on standard error what it waits for.
import { printPart, say, sayLines } from '../output/out.ts';
import { StatusRow } from '../output/status-row.ts';

/** Does something in the place of a prompt, and puts that below it. */
type Above = (act: () => void) => void;

export class AnswerView implements Disposable {
  readonly #row = new StatusRow(false);
  #last = '\n';
  #waits = '';
  #above: Above | undefined;

  text(text: string): void {
    this.#print(() => {
      printPart(text);
      this.#last = text.at(-1) ?? this.#last;
      this.#waits = '';
    });
  }

  /** @param words one cell each; they are gone with the first text */
  waits(words: string): void {
    if (this.#last === '\n') this.#waits = words;
    this.#showWaits();
  }

  say(words: string): void {
    this.#tell(() => say(words));
    this.#showWaits();
  }

  /** Rows that are as wide as they have to be, with a prompt to follow. */
  lines(lines: readonly string[]): void {
    this.#tell(() => sayLines(lines));
  }

  /** Whatever comes until the returned function is called stands above a prompt. */
  open(above: Above): () => void {
    this.#row.clear();
    this.#makeRoom();
    this.#above = above;
    return () => {
      this.#above = undefined;
      this.#showWaits();
    };
  }

  /** The answer ends with its line. Idempotent. */
  [Symbol.dispose](): void {
    this.#row.clear();
    this.#endLine();
  }

  #tell(act: () => void): void {
    this.#print(() => {
      this.#makeRoom();
      act();
    });
  }

  #print(act: () => void): void {
    this.#row.clear();
    if (!this.#above) return act();
    this.#above(() => {
      act();
      this.#makeRoom();
    });
  }

  /** Where both go to one terminal, words begin in a line of their own. */
  #makeRoom(): void {
    if (process.stdout.isTTY) this.#endLine();
  }

  #endLine(): void {
    if (this.#last !== '\n') printPart('\n');
    this.#last = '\n';
  }

  #showWaits(): void {
    if (!this.#above) this.#row.show(this.#waits.slice(0, (process.stderr.columns || 80) - 1));
  }
}
