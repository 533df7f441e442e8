/** The last `capacity` ids, in the order in which they came. */
export class SeenRing {
  readonly #ids = new Set<string>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= this.#capacity) break;
      this.#ids.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** At most `count` ids, oldest first. */
  newest(count: number): string[] {
    return [...this.#ids].slice(-count);
  }
}
