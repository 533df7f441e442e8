// When to draw what comes by itself. A screen that follows hundreds of events a second must not cost a core: the time
// between two drawings grows with what the last one cost.
import type { Cancel, Clock } from '../../base/clock.ts';

/** Ten pictures a second are as many as an eye wants of a text. */
const shortestMs = 100;
/** However slow the machine, something moves once a second. */
const longestMs = 1000;
/** Share of one core that following may take; 5 % are promised. */
const share = 0.04;

export interface PacerOptions {
  clock: Clock;
  /** CPU time of this process so far, milliseconds. */
  cpu(): number;
  draw(): void;
}

export class Pacer {
  readonly #options: PacerOptions;
  #cancel: Cancel | undefined;
  #closed = false;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #cpuThen = 0;

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#cpuThen = options.cpu();
  }

  /** Draws soon; asking again before that changes nothing. */
  ask(): void {
    if (this.#closed || this.#cancel) return;
    const { clock } = this.#options;
    const wait = Math.max(0, this.#drawnAt + this.#pause() - clock.now());
    this.#cancel = clock.after(wait, () => this.#draw());
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  /** What was spent since the last drawing is paid off by waiting. */
  #pause(): number {
    const spent = this.#options.cpu() - this.#cpuThen;
    return Math.min(longestMs, Math.max(shortestMs, spent / share));
  }

  #draw(): void {
    this.#cancel = undefined;
    this.#drawnAt = this.#options.clock.now();
    this.#cpuThen = this.#options.cpu();
    this.#options.draw();
  }
}
