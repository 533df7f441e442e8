/** Whoever waits until a row is durable. */
export class Waits {
  /** By seq. Those of one row share a promise. */
  readonly #waits = new Map<number, PromiseWithResolvers<void>>();

  until(seq: number): Promise<void> {
    const wait = this.#waits.get(seq) ?? Promise.withResolvers<void>();
    this.#waits.set(seq, wait);
    return wait.promise;
  }

  /** Everything up to `seq` is durable. */
  release(seq: number): void {
    for (const [at, wait] of this.#waits) {
      if (at > seq) continue;
      this.#waits.delete(at);
      wait.resolve();
    }
  }

  /** Nothing more becomes durable. */
  reject(error: Error): void {
    for (const wait of this.#waits.values()) wait.reject(error);
    this.#waits.clear();
  }
}
