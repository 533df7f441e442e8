import type { Cancel, Clock } from '../time/clock.ts';

export interface IdleLimits {
  /** So many may stay as they are. */
  most: number;
  /** Beyond these each has so long to do something, ms: also one whose bytes are there and were not read yet. */
  graceMs: number;
  /** One more ends the one that has been idle longest, whatever it has had time for. */
  cap: number;
}

/**
 * Connections that are there and have nothing under way, of which there may be many for a moment and few for long. A burst
 * of them is accepted before anything that they say is read, so their number alone says nothing about any of them.
 */
export class IdleLimit<T> {
  readonly #limits: IdleLimits;
  readonly #end: (connection: T) => void;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  /** Since when, on the clock; longest first. */
  readonly #since = new Map<T, number>();
  #later: Cancel | undefined;

  /** @param end called once for each that has to go */
  constructor(limits: IdleLimits, end: (connection: T) => void, clock: Pick<Clock, 'now' | 'after'>) {
    this.#limits = limits;
    this.#end = end;
    this.#clock = clock;
  }

  add(connection: T): void {
    this.#since.delete(connection);
    this.#since.set(connection, this.#clock.now());
    const [longest] = this.#since.keys();
    if (this.#since.size > this.#limits.cap && longest !== undefined) this.#ended(longest);
    if (this.#since.size > this.#limits.most) this.#lookLater();
  }

  /** It has something under way, or is gone. */
  delete(connection: T): void {
    this.#since.delete(connection);
  }

  has(connection: T): boolean {
    return this.#since.has(connection);
  }

  /** Looks at nobody any more. Idempotent. */
  close(): void {
    this.#later?.();
    this.#later = undefined;
    this.#since.clear();
  }

  /** Once the grace of whoever has been idle longest is over. */
  #lookLater(): void {
    const [since = 0] = this.#since.values();
    this.#later ??= this.#clock.after(since + this.#limits.graceMs - this.#clock.now(), () => {
      this.#later = undefined;
      this.#look();
    });
  }

  #look(): void {
    const { most, graceMs } = this.#limits;
    const due = this.#clock.now() - graceMs;
    for (const [connection, since] of this.#since) {
      if (this.#since.size <= most) return;
      if (since > due) return this.#lookLater();
      this.#ended(connection);
    }
  }

  #ended(connection: T): void {
    this.#since.delete(connection);
    this.#end(connection);
  }
}
