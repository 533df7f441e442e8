// The answer on standard output, and on standard error what it waits for.

import { StatusRow } from '../output/live/status-row.ts';
import { printPart, say } from '../output/out.ts';

export class AnswerView implements Disposable {
  readonly #row = new StatusRow(false);
  #last = '\n';
  #waits = '';
  /** What comes while the terminal is wanted for a question. */
  #held: (() => void)[] | undefined;

  text(text: string): void {
    this.#act(() => {
      this.#row.clear();
      printPart(text);
      this.#last = text.at(-1) ?? this.#last;
      this.#waits = '';
    });
  }

  /** @param words one cell each; they are gone with the first text */
  waits(words: string): void {
    this.#act(() => {
      if (this.#last === '\n') this.#waits = words;
      this.#showWaits();
    });
  }

  say(words: string): void {
    this.#act(() => {
      this.#makeRoom();
      say(words);
      this.#showWaits();
    });
  }

  /**
   * Whatever comes waits until the returned function is called: between a question and its answer nothing may stand that
   * reads like another one.
   */
  hold(): () => void {
    this.#makeRoom();
    const held: (() => void)[] = [];
    this.#held = held;
    return () => {
      this.#held = undefined;
      for (const act of held) act();
      this.#showWaits();
    };
  }

  /** The answer ends with its line. Idempotent. */
  [Symbol.dispose](): void {
    this.#row.clear();
    this.#endLine();
  }

  #act(act: () => void): void {
    if (this.#held) this.#held.push(act);
    else act();
  }

  /** Where both go to one terminal, words begin in a line of their own. */
  #makeRoom(): void {
    this.#row.clear();
    if (process.stdout.isTTY) this.#endLine();
  }

  #endLine(): void {
    if (this.#last !== '\n') printPart('\n');
    this.#last = '\n';
  }

  #showWaits(): void {
    this.#row.show(this.#waits.slice(0, (process.stderr.columns || 80) - 1));
  }
}
