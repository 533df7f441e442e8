/** Runs tasks of one key strictly one after another; different keys run side by side. */
export class Mailboxes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** @returns what `task` returns; a failing task fails only its own caller. */
  run<T>(key: string, task: () => Promise<T> | T): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    const tail: Promise<void> = result.then(
      () => this.#forget(key, tail),
      () => this.#forget(key, tail),
    );
    this.#tails.set(key, tail);
    return result;
  }

  /** Resolves when every task that is queued now has ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#tails.values());
  }

  #forget(key: string, tail: Promise<unknown>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
