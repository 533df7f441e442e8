// When a host has nothing to stay for: nobody started anything with it, or nobody comes back for what it has.
import type { Cancel, Clock } from '../base/time/clock.ts';

/** Until a program is to be there, ms. */
const startMs = 30_000;
/** Without an owner, ms, until one says otherwise. */
const usualKeepMs = 60_000;
/** Without an owner once the program has ended, ms. */
const exitedMs = 60_000;

/** Calls `end` once, at the first reason to go. */
export class Lifetime {
  readonly #clock: Clock;
  readonly #end: () => void;
  #keepMs = usualKeepMs;
  #hasExited = false;
  #isOwned = false;
  #start: Cancel;
  #away: Cancel[] = [];

  constructor(clock: Clock, end: () => void) {
    this.#clock = clock;
    this.#end = () => {
      this.close();
      end();
    };
    this.#start = clock.after(startMs, this.#end);
  }

  started(): void {
    this.#start();
  }

  exited(): void {
    this.#hasExited = true;
    if (!this.#isOwned) this.#after(exitedMs);
  }

  /** @param ms how long it stays without an owner, from the moment the owner goes */
  keep(ms: number): void {
    this.#keepMs = ms;
  }

  came(): void {
    this.#isOwned = true;
    this.#forget();
  }

  went(): void {
    this.#isOwned = false;
    this.#after(this.#keepMs);
    if (this.#hasExited) this.#after(exitedMs);
  }

  /** Idempotent. */
  close(): void {
    this.#start();
    this.#forget();
  }

  #after(ms: number): void {
    this.#away.push(this.#clock.after(ms, this.#end));
  }

  #forget(): void {
    for (const cancel of this.#away.splice(0)) cancel();
  }
}
