// How many connections proved nothing. Somebody has to hear of it, and nobody may fill a journal with it.
import type { Cancel, Clock } from '../../base/time/clock.ts';

/** From one word about them to the next, ms. */
const quietMs = 60_000;

export class Unproven {
  readonly #clock: Clock;
  readonly #tell: (count: number) => void;
  #count = 0;
  #told = 0;
  #isHeard = false;
  #quiet: Cancel | undefined;

  /** @param tell how many there were until now, in all */
  constructor(clock: Clock, tell: (count: number) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  add(): void {
    this.#count += 1;
    this.#say();
  }

  /** Somebody listens, or nobody any more. */
  heard(isHeard: boolean): void {
    this.#isHeard = isHeard;
    this.#say();
  }

  /** Idempotent. */
  close(): void {
    this.#isHeard = false;
    this.#quiet?.();
  }

  #say(): void {
    if (!this.#isHeard || this.#quiet || this.#told === this.#count) return;
    this.#told = this.#count;
    this.#quiet = this.#clock.after(quietMs, () => {
      this.#quiet = undefined;
      this.#say();
    });
    this.#tell(this.#count);
  }
}
