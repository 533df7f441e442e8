import type { Clock } from '../../../base/time/clock.ts';
import { SlidingWindow } from '../../../base/time/sliding-window.ts';

/** Wrong codes a sender may try within the window; more mute that sender until the window is over. */
const mostGuesses = 20;

/** Counts wrong permission codes per sender. In memory on purpose: a question does not survive a restart either. */
export class Guesses {
  readonly #tries: SlidingWindow;

  constructor(clock: Clock) {
    this.#tries = new SlidingWindow({ clock, windowMs: 60_000, times: mostGuesses + 1, names: 1_000 });
  }

  /** A wrong code was tried. */
  record(sender: string): void {
    this.#tries.record(sender);
  }

  /** True while nothing this sender answers is looked at. */
  isMuted(sender: string): boolean {
    return this.#tries.recent(sender).length > mostGuesses;
  }
}
