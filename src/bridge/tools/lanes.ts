// How many calls a provider works on at a time, and how many may wait besides. The oldest that waits goes first.

/** Nothing was done: so many wait already. */
export class LanesFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} calls wait for it already`);
    this.name = 'LanesFullError';
  }
}

export class Lanes {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Calls that are worked on. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs `work` when there is a place.
   *
   * @throws LanesFullError at once, the signal's reason when it aborts while it waits, and whatever `work` throws
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#place(signal);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      const [next] = this.#waiting;
      next?.();
    }
  }

  async #place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running >= this.#most) {
      if (this.#waiting.size >= this.#mostWaiting) throw new LanesFullError(this.#waiting.size);
      await this.#turn(signal);
    } else this.#running += 1;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        this.#waiting.delete(go);
        signal.removeEventListener('abort', leave);
        this.#running += 1;
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(go);
        reject(signal.reason);
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
