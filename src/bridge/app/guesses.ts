import type { Clock } from '../../base/clock.ts';

/** Wrong codes a sender may try within the window; more mute that sender until the window is over. */
const mostGuesses = 20;
const windowMs = 60_000;
/** Senders remembered; the oldest is forgotten first. */
const mostSenders = 1_000;

/** Counts wrong permission codes per sender. In memory on purpose: a question does not survive a restart either. */
export class Guesses {
  readonly #clock: Clock;
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A wrong code was tried. */
  record(sender: string): void {
    const times = [...this.#recent(sender), this.#clock.now()].slice(-(mostGuesses + 1));
    this.#times.delete(sender);
    this.#times.set(sender, times);
    const oldest = this.#times.keys().next();
    if (this.#times.size > mostSenders && !oldest.done) this.#times.delete(oldest.value);
  }

  /** True while nothing this sender answers is looked at. */
  isMuted(sender: string): boolean {
    return this.#recent(sender).length > mostGuesses;
  }

  #recent(sender: string): number[] {
    const after = this.#clock.now() - windowMs;
    return (this.#times.get(sender) ?? []).filter((at) => at > after);
  }
}
