// The disk is given one thing after the other, beside the event loop.
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';

/** Milliseconds that one thing may take before the log says that the disk is slow. */
const slowMs = 5000;

export interface DiskTurnsOptions {
  clock: Clock;
  log: Log;
  /** What was under way rejected: nobody knows what is on the disk. */
  failed(cause: unknown): void;
}

export class DiskTurns {
  readonly #options: DiskTurnsOptions;
  readonly #waiting: (() => void)[] = [];
  #turn: Promise<void> | undefined;

  constructor(options: DiskTurnsOptions) {
    this.#options = options;
  }

  /** Resolves when what is under way is done; undefined when nothing is. */
  get current(): Promise<void> | undefined {
    return this.#turn;
  }

  /** Nothing may be under way. @returns what never rejects, and resolves when nothing is under way again */
  begin(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#run(work);
    return this.#turn;
  }

  /** Calls `next` at once, or when what is under way is done. */
  whenFree(next: () => void): void {
    if (this.#turn) this.#waiting.push(next);
    else next();
  }

  async #run(work: () => Promise<void>): Promise<void> {
    const { clock, log, failed } = this.#options;
    const calm = clock.after(slowMs, () =>
      log.warn('the disk is slow: whatever has to be on it first waits', { ms: slowMs }),
    );
    try {
      await work();
    } catch (cause) {
      failed(cause);
    }
    calm();
    this.#turn = undefined;
    while (!this.#turn && this.#waiting.length > 0) this.#waiting.shift()?.();
  }
}
