import type { Clock } from '../../../base/time/clock.ts';

/** Lets what can wait gather for a while, unless somebody is in a hurry. */
export class Lull {
  readonly #clock: Clock;
  readonly #ms: number;
  #isOver = false;
  #end: (() => void) | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Nothing waits any longer, until the next `begin`. */
  hurry(): void {
    this.#isOver = true;
    this.#end?.();
  }

  /** What comes from now on may wait again. */
  begin(): void {
    this.#isOver = false;
  }

  /** Resolves after the while, or when somebody is in a hurry. */
  async over(): Promise<void> {
    if (this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(this.#ms, resolve);
    this.#end = resolve;
    await promise;
    cancel();
  }
}
