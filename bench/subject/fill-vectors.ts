// Vectors of no text, the same ones each time: what is near what is as hard to say as it can be.
import { SqliteVectors } from '../../src/vault/vectors/sqlite-vectors.ts';
import { seeded } from '../../test/support/seeded.ts';

/** Of small models for embeddings. */
export const dimensions = 384;
/** Put at a time. */
const batch = 1_000;

/** @returns `count` vectors of length 1, one after the other */
export function someVectors(count: number, seed: number): Float32Array {
  const random = seeded(seed);
  const all = Float32Array.from({ length: count * dimensions }, () => random() - 0.5);
  for (let from = 0; from < all.length; from += dimensions) {
    const one = all.subarray(from, from + dimensions);
    const length = Math.hypot(...one);
    for (const [at, number] of one.entries()) one[at] = number / length;
  }
  return all;
}

/** A store in a new file that has them. */
export async function storeOf(file: string, all: Float32Array): Promise<SqliteVectors> {
  const store = new SqliteVectors(file);
  const count = all.length / dimensions;
  for (let from = 0; from < count; from += batch) {
    const rows = Array.from({ length: Math.min(batch, count - from) }, (_, at) => ({
      hash: (from + at).toString(16).padStart(32, '0'),
      vector: all.subarray((from + at) * dimensions, (from + at + 1) * dimensions),
    }));
    await store.put(rows);
  }
  return store;
}
