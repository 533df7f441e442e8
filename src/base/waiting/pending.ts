import type { Cancel, Clock } from '../time/clock.ts';

/** The deadline of a wait passed, or the whole table was closed; `code` says which. */
export class PendingError extends Error {
  readonly code: 'timeout' | 'closed';

  constructor(code: 'timeout' | 'closed', message: string) {
    super(message);
    this.name = 'PendingError';
    this.code = code;
  }
}

interface Wait<V> {
  resolve(value: V): void;
  reject(error: Error): void;
  cancelTimer: Cancel;
}

/** Everybody who waits for an answer registers here: one key, one deadline, one outcome. */
export class Pending<V> {
  readonly #clock: Clock;
  readonly #waits = new Map<string, Wait<V>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waits.size;
  }

  keys(): string[] {
    return [...this.#waits.keys()];
  }

  has(key: string): boolean {
    return this.#waits.has(key);
  }

  /**
   * Opens a wait. Rejects with {@link PendingError} `timeout` after `ms` milliseconds, `closed` on closeAll.
   * @throws when `key` is already waiting: two waits under one key would lose one answer.
   */
  open(key: string, ms: number): Promise<V> {
    if (this.#waits.has(key)) throw new Error(`already waiting for ${key}`);
    return new Promise<V>((resolve, reject) => {
      const cancelTimer = this.#clock.after(ms, () => {
        this.fail(key, new PendingError('timeout', `no answer for ${key} within ${ms} ms`));
      });
      this.#waits.set(key, { resolve, reject, cancelTimer });
    });
  }

  /** @returns false when nobody waits for `key` (late or duplicate answers are normal). */
  settle(key: string, value: V): boolean {
    const wait = this.#take(key);
    wait?.resolve(value);
    return wait !== undefined;
  }

  fail(key: string, error: Error): boolean {
    const wait = this.#take(key);
    wait?.reject(error);
    return wait !== undefined;
  }

  closeAll(reason: string): void {
    for (const key of this.keys()) this.fail(key, new PendingError('closed', reason));
  }

  #take(key: string): Wait<V> | undefined {
    const wait = this.#waits.get(key);
    if (!wait) return undefined;
    this.#waits.delete(key);
    wait.cancelTimer();
    return wait;
  }
}
