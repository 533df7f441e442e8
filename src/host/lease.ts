// A dead man's switch: the host and its program end unless the owner says again and again that they may go on.
import type { Cancel, Clock } from '../base/time/clock.ts';

/** How long its end may go unseen after the machine was suspended, ms: timers stand still then. */
const lookMs = 500;

export interface LeaseOptions {
  clock: Clock;
  /** As `sinceBoot`. */
  uptime(): number;
  /** It has run out. May be called more than once. */
  over(): void;
}

/** There is none, and no timer, until one is said. */
export class Lease {
  readonly #options: LeaseOptions;
  /** By `uptime`. */
  #until = Number.POSITIVE_INFINITY;
  #look: Cancel = () => {};

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * One that has run out stays so, whatever comes: another machine may have taken over.
   * @param ms how long it lasts; undefined lifts it @param at when that was said, by that clock; now when left out
   */
  renew(ms: number | undefined, at = Number.POSITIVE_INFINITY): void {
    const now = this.#options.uptime();
    if (now < this.#until) this.#until = ms === undefined ? Number.POSITIVE_INFINITY : Math.min(at, now) + ms;
    this.#watch();
  }

  /** Idempotent. */
  close(): void {
    this.#look();
  }

  #watch(): void {
    this.#look();
    const { clock, uptime, over } = this.#options;
    const left = this.#until - uptime();
    if (left <= 0) over();
    else if (left < Number.POSITIVE_INFINITY)
      this.#look = clock.after(Math.min(left, lookMs), () => this.#watch());
  }
}
