/** Whoever waits until a row is durable, or until it is known that there is no room for it. Leaves nothing behind. */
export class Waits {
  /** By seq. Those of one row share a promise. */
  readonly #durable = new Map<number, PromiseWithResolvers<void>>();
  readonly #kept = new Map<number, PromiseWithResolvers<boolean>>();

  durable(seq: number): Promise<void> {
    const wait = this.#durable.get(seq) ?? Promise.withResolvers<void>();
    this.#durable.set(seq, wait);
    return wait.promise;
  }

  /** @returns true as soon as it is durable, false as soon as there is no room */
  kept(seq: number): Promise<boolean> {
    const wait = this.#kept.get(seq) ?? Promise.withResolvers<boolean>();
    this.#kept.set(seq, wait);
    return wait.promise;
  }

  /** Everything up to `seq` is durable. @param except rows that are not */
  release(seq: number, except?: ReadonlySet<number>): void {
    take(this.#durable, seq, (wait) => wait.resolve(), except);
    take(this.#kept, seq, (wait) => wait.resolve(true), except);
  }

  /** There is no room for what is not durable yet. @returns the rows of which that was asked */
  refuse(): Set<number> {
    const refused = new Set(this.#kept.keys());
    take(this.#kept, Number.POSITIVE_INFINITY, (wait) => wait.resolve(false));
    return refused;
  }

  /** Nothing more becomes durable. */
  reject(error: Error): void {
    take(this.#durable, Number.POSITIVE_INFINITY, (wait) => wait.reject(error));
    take(this.#kept, Number.POSITIVE_INFINITY, (wait) => wait.reject(error));
  }
}

/** Those up to `seq`: each is told, and forgotten. */
function take<T>(
  waits: Map<number, T>,
  seq: number,
  tell: (wait: T) => void,
  except?: ReadonlySet<number>,
): void {
  for (const [at, wait] of waits) {
    if (at > seq || except?.has(at)) continue;
    waits.delete(at);
    tell(wait);
  }
}
