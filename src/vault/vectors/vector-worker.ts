// The program of a thread that looks through all vectors: 15 ms of work that nobody else has to wait for.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteVectors } from './sqlite-vectors.ts';
import { type Near, StoreDamage } from './vector-store.ts';

export interface NearestCall {
  id: number;
  query: Float32Array;
  limit: number;
}

export type NearestAnswer =
  | { id: number; near: Near[] }
  /** In words without a path. */
  | { id: number; damage: string };

const store = new SqliteVectors(String(workerData));

parentPort?.on('message', ({ id, query, limit }: NearestCall) => {
  store.nearest(query, limit).then(
    (near) => parentPort?.postMessage({ id, near } satisfies NearestAnswer),
    (error: unknown) => {
      if (!(error instanceof StoreDamage)) throw error;
      parentPort?.postMessage({ id, damage: error.message } satisfies NearestAnswer);
    },
  );
});
