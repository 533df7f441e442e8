// The index of the words as the vectors follow it: whether every part of it was given one.
import { statSync } from 'node:fs';
import { Generations } from '../index/generations.ts';
import { IndexDamage } from '../index/index-damage.ts';
import type { IndexReader } from '../index/index-reader.ts';
import { OpenIndex } from '../index/open-index.ts';

export class FollowedIndex {
  readonly #generations: Generations;
  readonly #index: OpenIndex;
  /** What was followed to its end, and for which model. */
  #followed: string | undefined;

  /** @param dir of the index @throws UnsafePathError */
  constructor(dir: string) {
    this.#generations = new Generations(dir);
    this.#index = new OpenIndex(this.#generations);
  }

  /** How many different texts it holds; undefined while it cannot be asked. */
  get meanings(): number | undefined {
    return this.#asked(() => {
      const opened = this.#index.get();
      return opened.kind === 'open' ? opened.reader.facts().meanings : undefined;
    });
  }

  /** @param identity of an embedder */
  isFollowed(identity: string): boolean {
    return this.#followed !== undefined && this.#followed === this.#asked(() => this.#state(identity));
  }

  /**
   * @param identity of an embedder
   * @param work gives each part its vector; false when it was interrupted
   */
  async follow(identity: string, work: (reader: IndexReader) => Promise<boolean>): Promise<void> {
    // Of its own: another one is closed as soon as the index is a newer one.
    const index = new OpenIndex(this.#generations);
    try {
      const opened = this.#asked(() => index.get());
      if (opened?.kind !== 'open') return;
      const state = this.#asked(() => this.#state(identity));
      if (await work(opened.reader)) this.#followed = state;
    } finally {
      index.close();
    }
  }

  /** Idempotent. */
  close(): void {
    this.#index.close();
  }

  #state(identity: string): string | undefined {
    const number = this.#generations.current();
    if (number === undefined) return undefined;
    const stats = statSync(this.#generations.database(number), { throwIfNoEntry: false });
    return stats && `${identity} ${number} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  }

  /** Undefined of a damaged one: whoever searches it says so. */
  #asked<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (error instanceof IndexDamage) return undefined;
      throw error;
    }
  }
}
