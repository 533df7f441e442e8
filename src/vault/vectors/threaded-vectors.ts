// Vectors in SQLite, looked through in a thread of their own, which starts with the first question.
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { Pending } from '../../base/pending.ts';
import { type Near, StoreDamage, type VectorStore } from './vector-store.ts';
import type { NearestAnswer } from './vector-worker.ts';

/** It reads the file first, which takes a second for a very large one. Milliseconds. */
const answerMs = 10_000;

export interface ThreadedVectorsOptions {
  clock: Clock;
  /** `vector-worker.ts`, or what was built of it. */
  program: string;
  /** Of the database. */
  path: string;
}

export class ThreadedVectors implements Pick<VectorStore, 'nearest' | 'close'> {
  readonly #options: ThreadedVectorsOptions;
  readonly #waits: Pending<NearestAnswer>;
  #worker: Worker | undefined;
  #last = 0;

  constructor(options: ThreadedVectorsOptions) {
    this.#options = options;
    this.#waits = new Pending(options.clock);
  }

  /** @throws StoreDamage, PendingError */
  async nearest(query: Float32Array, limit: number): Promise<Near[]> {
    this.#worker ??= this.#start();
    this.#last += 1;
    const id = this.#last;
    const answered = this.#waits.open(String(id), answerMs);
    this.#worker.postMessage({ id, query, limit });
    const answer = await answered;
    if ('damage' in answer) throw new StoreDamage(answer.damage);
    return answer.near;
  }

  async close(): Promise<void> {
    this.#waits.closeAll('the vault is closed');
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const { program, path } = this.#options;
    const worker = new Worker(program, { workerData: path });
    worker.unref();
    worker.on('message', (answer: NearestAnswer) => this.#waits.settle(String(answer.id), answer));
    // Whoever opens a file that is no database hears of it here.
    worker.on('error', (cause) => this.#ended(worker, cause));
    worker.on('exit', () => this.#ended(worker));
    return worker;
  }

  #ended(worker: Worker, cause?: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const damage = new StoreDamage('the vectors cannot be read', { cause });
    for (const key of this.#waits.keys()) this.#waits.fail(key, damage);
  }
}
