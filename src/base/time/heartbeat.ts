import type { Cancel, Clock } from './clock.ts';

export interface HeartbeatOptions {
  /** Milliseconds between pings. */
  everyMs: number;
  /** How many unanswered pings in a row mean that the peer is gone. */
  misses: number;
  ping(): void;
  dead(): void;
}

/** Pings a peer at a fixed pace and says once when it stopped answering. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #options: HeartbeatOptions;
  #unanswered = 0;
  #cancel: Cancel | undefined;

  constructor(clock: Clock, options: HeartbeatOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#unanswered = 0;
    this.#schedule();
  }

  /** The peer gave a sign of life. */
  alive(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(this.#options.everyMs, () => {
      if (this.#unanswered >= this.#options.misses) {
        this.stop();
        this.#options.dead();
        return;
      }
      this.#unanswered += 1;
      this.#schedule();
      this.#options.ping();
    });
  }
}
