import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import type { Cancel, Clock } from '../../base/time/clock.ts';

/** Milliseconds between two notes: each becomes a row of the journal, and nobody reads faster. */
const everyMs = 1_000;

export interface ProgressNotesOptions {
  clock: Clock;
  /** In words; '' for nothing to say. */
  words(progress: Progress): string;
  tell(words: string): void;
}

/**
 * What one call tells of itself while it runs: at once, then the newest of each second, and nothing twice. What lies
 * between is not even read, so that a flood of it costs nothing.
 */
export class ProgressNotes {
  readonly #options: ProgressNotesOptions;
  #newest: Progress | undefined;
  #said = '';
  /** Set while the second after a note runs. */
  #cancel: Cancel | undefined;
  #closed = false;

  constructor(options: ProgressNotesOptions) {
    this.#options = options;
  }

  told(progress: Progress): void {
    // The SDK hands notifications on one step late: the call may be over.
    if (this.#closed) return;
    this.#newest = progress;
    if (!this.#cancel) this.#pass();
  }

  /** The call is over: nobody wants to know any more how far it was. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #pass(): void {
    const { clock, words: wordsOf, tell } = this.#options;
    const newest = this.#newest;
    this.#newest = undefined;
    if (!newest) return;
    // Also behind one that says nothing: reading it is what costs.
    this.#cancel = clock.after(everyMs, () => {
      this.#cancel = undefined;
      this.#pass();
    });
    const words = wordsOf(newest);
    if (words === '' || words === this.#said) return;
    this.#said = words;
    tell(words);
  }
}
