// When to draw what comes by itself. A screen that follows hundreds of events a second must not cost a core: the time
// between two drawings grows with what the last one cost.
import type { Cancel, Clock } from '../../../base/time/clock.ts';

/** Ten pictures a second are as many as an eye wants of a text. */
const shortestMs = 100;
/**
 * However slow the machine, something moves now and then. A picture of 200x50 takes 25 ms when it is the only one in a
 * second: a shorter pause would cost more than is promised there.
 */
const longestMs = 1500;
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
    this.#cancel = this.#options.clock.after(this.#left(), () => this.#due());
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  /** Milliseconds until what was spent since the last drawing, also on reading events, is paid off by waiting. */
  #left(): number {
    const { clock, cpu } = this.#options;
    const pause = Math.min(longestMs, Math.max(shortestMs, (cpu() - this.#cpuThen) / share));
    return Math.max(0, this.#drawnAt + pause - clock.now());
  }

  #due(): void {
    this.#cancel = undefined;
    if (this.#left() >= 1) return this.ask();
    this.#drawnAt = this.#options.clock.now();
    this.#cpuThen = this.#options.cpu();
    this.#options.draw();
  }
}
