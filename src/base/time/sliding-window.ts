import type { Clock } from './clock.ts';

export interface SlidingWindowOptions {
  clock: Clock;
  /** How long a time counts, ms. */
  windowMs: number;
  /** Newest times kept for a name. */
  times: number;
  /** Names remembered; the one that was longest silent is forgotten first. */
  names: number;
}

/** When something happened to each name, as far back as it counts. In memory, and bounded. */
export class SlidingWindow {
  readonly #options: SlidingWindowOptions;
  readonly #times = new Map<string, number[]>();

  constructor(options: SlidingWindowOptions) {
    this.#options = options;
  }

  record(name: string): void {
    const { clock, times, names } = this.#options;
    const kept = [...this.recent(name), clock.now()].slice(-times);
    this.#times.delete(name);
    this.#times.set(name, kept);
    const oldest = this.#times.keys().next();
    if (this.#times.size > names && !oldest.done) this.#times.delete(oldest.value);
  }

  /** Times within the window, oldest first. */
  recent(name: string): number[] {
    const after = this.#options.clock.now() - this.#options.windowMs;
    return (this.#times.get(name) ?? []).filter((at) => at > after);
  }
}
