import type { Cancel, Clock } from '../../../base/time/clock.ts';

/**
 * Streamed text alone waits this long, milliseconds, unless somebody asks for its durability: one commit for many
 * texts. Measured: half of what the journal adds to a text's way to its reader.
 */
const textDelayMs = 10;

/** When what is pending goes to the disk. */
export class FlushTimer {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #tick: NodeJS.Immediate | undefined;
  #later: Cancel | undefined;

  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = () => {
      this.stop();
      flush();
    };
  }

  /** At the end of this event-loop tick, together with everything else of it. */
  soon(): void {
    this.#tick ??= setImmediate(this.#flush);
  }

  /** As soon as streamed text alone needs it. */
  inTime(): void {
    this.#later ??= this.#clock.after(textDelayMs, this.#flush);
  }

  stop(): void {
    clearImmediate(this.#tick);
    this.#tick = undefined;
    this.#later?.();
    this.#later = undefined;
  }
}
