import type { Cancel, Clock } from '../../../base/time/clock.ts';

/** Milliseconds between two looks at the clocks. */
const everyMs = 5_000;
/** A look that comes this much too late, milliseconds, means that the machine slept in between. */
const driftMs = 10_000;

/**
 * Notices that the machine slept: a timer comes far too late by one of the clocks. The monotonic clock stands still
 * during sleep on some systems, so the wall clock is looked at, too. Somebody setting the clock looks the same; whoever
 * listens must do nothing that hurts a healthy connection.
 */
export class WakeWatch {
  readonly #clock: Clock;
  readonly #woke: () => void;
  #cancel: Cancel = () => {};

  constructor(clock: Clock, woke: () => void) {
    this.#clock = clock;
    this.#woke = woke;
  }

  start(): void {
    const now = this.#clock.now();
    const wall = this.#clock.wall();
    this.#cancel = this.#clock.after(everyMs, () => {
      const passed = Math.max(this.#clock.now() - now, this.#clock.wall() - wall);
      this.start();
      if (passed - everyMs >= driftMs) this.#woke();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
