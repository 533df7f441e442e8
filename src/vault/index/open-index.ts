// The index that answers, with proof that it is what was written.
import { type Stats, statSync } from 'node:fs';
import type { Generations } from './generations.ts';
import { IndexDamage } from './index-damage.ts';
import { IndexReader } from './index-reader.ts';
import { checkSeal } from './seal.ts';

export type Opened =
  | { kind: 'open'; number: number; reader: IndexReader }
  | { kind: 'none' }
  /** Whoever wrote last was interrupted, or is at it: the indexer has to look at it. */
  | { kind: 'unsealed' };

export class OpenIndex {
  readonly #generations: Generations;
  #held: { number: number; reader: IndexReader; stats: Stats } | undefined;

  constructor(generations: Generations) {
    this.#generations = generations;
  }

  /**
   * Looks whether another one answers now, or something happened to the file. Reads all of it, if so: 60 ms for 160 MB.
   *
   * @throws IndexDamage
   */
  get(): Opened {
    const number = this.#generations.current();
    if (number === undefined) {
      this.close();
      return { kind: 'none' };
    }
    const stats = this.#stats(number);
    const held = this.#held;
    if (held?.number === number && isSameFile(held.stats, stats)) return { kind: 'open', ...held };
    this.close();
    const database = this.#generations.database(number);
    if (!checkSeal(database, this.#generations.seal(number))) return { kind: 'unsealed' };
    const reader = new IndexReader(database);
    this.#held = { number, reader, stats };
    return { kind: 'open', number, reader };
  }

  /** Idempotent. */
  close(): void {
    this.#held?.reader.close();
    this.#held = undefined;
  }

  #stats(number: number): Stats {
    const stats = statSync(this.#generations.database(number), { throwIfNoEntry: false });
    if (!stats) throw new IndexDamage('its file is gone');
    return stats;
  }
}

const isSameFile = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
