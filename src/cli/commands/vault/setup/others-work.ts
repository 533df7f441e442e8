// How far another program is with the index that this one waits for: it tells nobody but its own, and writes in batches.
import type { Clock } from '../../../../base/time/clock.ts';
import type { Generations } from '../../../../vault/index/generations.ts';
import type { IndexReader } from '../../../../vault/index/index-reader.ts';

/** So long it may be ours that has not told anything yet, milliseconds. */
const patience = 1_500;

export class OthersWork {
  readonly #generations: Generations;
  readonly #reader: typeof IndexReader;
  readonly #total: number;
  readonly #clock: Clock;
  readonly #begun: number;

  private constructor(generations: Generations, reader: typeof IndexReader, total: number, clock: Clock) {
    this.#clock = clock;
    this.#begun = clock.now();
    this.#generations = generations;
    this.#reader = reader;
    this.#total = total;
  }

  /** @param dir of the index @param total notes of the vault */
  static async of(dir: string, total: number, clock: Clock): Promise<OthersWork> {
    const { Generations } = await import('../../../../vault/index/generations.ts');
    const { IndexReader } = await import('../../../../vault/index/index-reader.ts');
    return new OthersWork(new Generations(dir), IndexReader, total, clock);
  }

  /** Undefined while it may as well be ours. */
  progress(): { done: number; total: number } | undefined {
    if (this.#clock.now() - this.#begun < patience) return undefined;
    try {
      const reader = new this.#reader(this.#generations.database(this.#generations.newest()));
      try {
        return { done: reader.facts().notes, total: this.#total };
      } finally {
        reader.close();
      }
    } catch {
      // Not begun, or just replaced: the next look tells.
      return undefined;
    }
  }
}
