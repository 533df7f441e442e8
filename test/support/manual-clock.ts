import type { Cancel, Clock } from '../../src/base/time/clock.ts';

/** A clock that moves only when the test says so. */
export class ManualClock implements Clock {
  #now = 0;
  #timers: { at: number; fn: () => void }[] = [];
  readonly #epoch = Date.UTC(2026, 0, 1);

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#epoch + this.#now;
  }

  after(ms: number, fn: () => void): Cancel {
    const timer = { at: this.#now + Math.max(0, ms), fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Moves on by `ms`, firing what is due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.fn();
    }
    this.#now = end;
  }
}
