// Where the vectors of a vault lie: those of each model in a place of their own, beside the index of its words.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../base/digest.ts';
import { claimDirectory } from '../../base/files/own-path.ts';

export class VectorPlaces {
  readonly #dir: string;

  /**
   * @param dir made when it is missing, for this user alone
   * @throws UnsafePathError
   */
  constructor(dir: string) {
    this.#dir = claimDirectory(dir);
  }

  /** Held by whoever makes vectors. */
  get lock(): string {
    return join(this.#dir, 'making.lock');
  }

  /** @param identity of an embedder */
  of(identity: string): string {
    return join(this.#dir, nameOf(identity));
  }

  /** Removes those of every other model. */
  keep(identity: string): void {
    for (const name of readdirSync(this.#dir))
      if (/^[0-9a-f]{16}/.test(name) && !name.startsWith(nameOf(identity)))
        rmSync(join(this.#dir, name), { recursive: true, force: true });
  }

  /** Removes those of this one. */
  remove(identity: string): void {
    for (const name of readdirSync(this.#dir))
      if (name.startsWith(nameOf(identity))) rmSync(join(this.#dir, name), { recursive: true, force: true });
  }
}

const nameOf = (identity: string): string => hashId(identity);
