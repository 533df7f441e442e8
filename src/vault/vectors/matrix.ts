// Quantised vectors side by side in memory, for one look at all of them. 58,000 of 384 numbers are 22 MB and 15 ms.
import type { Near } from './vector-store.ts';

export class Matrix {
  readonly dimensions: number;
  readonly #hashes: string[] = [];
  readonly #rows = new Map<string, number>();
  #bytes: Int8Array;
  #scales: Float32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#bytes = new Int8Array(dimensions * 1_024);
    this.#scales = new Float32Array(1_024);
  }

  get size(): number {
    return this.#hashes.length;
  }

  /** One that is known is replaced. */
  set(hash: string, bytes: Int8Array, scale: number): void {
    const row = this.#rows.get(hash) ?? this.#hashes.length;
    if (row === this.#hashes.length) {
      this.#grow(row + 1);
      this.#hashes.push(hash);
      this.#rows.set(hash, row);
    }
    this.#bytes.set(bytes, row * this.dimensions);
    this.#scales[row] = scale;
  }

  /** @param limit at most so many. @returns the nearest first, by scores that are nearly the cosines */
  nearest(query: Int8Array, queryScale: number, limit: number): Near[] {
    const best: Near[] = [];
    let least = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < this.#hashes.length; row += 1) {
      const score = this.#product(query, row) * queryScale * (this.#scales[row] as number);
      if (best.length === limit && score <= least) continue;
      insert(best, { hash: this.#hashes[row] as string, score });
      if (best.length > limit) best.pop();
      least = best.at(-1)?.score ?? least;
    }
    return best;
  }

  #product(query: Int8Array, row: number): number {
    const bytes = this.#bytes;
    const from = row * this.dimensions;
    let sum = 0;
    for (let at = 0; at < this.dimensions; at += 1)
      sum += (query[at] as number) * (bytes[from + at] as number);
    return sum;
  }

  #grow(rows: number): void {
    if (rows <= this.#scales.length) return;
    const bytes = new Int8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    const scales = new Float32Array(this.#scales.length * 2);
    scales.set(this.#scales);
    this.#scales = scales;
  }
}

/** Into a short list in falling order. */
function insert(best: Near[], near: Near): void {
  let at = best.length;
  while (at > 0 && (best[at - 1] as Near).score < near.score) at -= 1;
  best.splice(at, 0, near);
}
