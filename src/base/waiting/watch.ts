import type { Clock } from '../time/clock.ts';

interface Waiter {
  check(): void;
  giveUp(): void;
}

/** Waits for conditions over facts that others change: whoever changes a fact pokes. */
export class Watch {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A fact changed: every waiting condition is looked at again. */
  poke(): void {
    for (const waiter of [...this.#waiters]) waiter.check();
  }

  /**
   * Resolves with the first truthy value of `condition`, or with undefined after `ms` milliseconds or when closed.
   * `condition` must not throw.
   */
  until<T>(condition: () => T | false | undefined, ms: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (value: T | undefined) => {
        this.#waiters.delete(waiter);
        cancel();
        resolve(value);
      };
      const waiter: Waiter = {
        check: () => {
          const value = condition();
          if (value !== false && value !== undefined) end(value);
        },
        giveUp: () => end(undefined),
      };
      const cancel = this.#clock.after(ms, waiter.giveUp);
      this.#waiters.add(waiter);
      if (this.#closed) waiter.giveUp();
      else waiter.check();
    });
  }

  /** Resolves true when `condition` stays true for `ms` milliseconds, false when it does not within `withinMs`. */
  async steady(condition: () => boolean, ms: number, withinMs: number): Promise<boolean> {
    const deadline = this.#clock.now() + withinMs;
    while (!this.#closed) {
      const left = deadline - this.#clock.now();
      if (left <= 0 || !(await this.until(condition, left))) return false;
      if (!(await this.until(() => !condition(), ms))) return !this.#closed;
    }
    return false;
  }

  /** Resolves after `ms` milliseconds, or at once when closed. */
  async pause(ms: number): Promise<void> {
    await this.until(() => false, ms);
  }

  /** Ends all waiting. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const waiter of [...this.#waiters]) waiter.giveUp();
  }
}
