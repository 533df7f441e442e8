// Where an index lies. One is built beside the one that answers and takes its place when it is whole, so there may be
// several, by number; the file `current` names the one that answers.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory } from '../../base/files/own-path.ts';
import { readPrivate, writePrivate } from '../../base/files/private-file.ts';
import { IndexDamage } from './index-damage.ts';

export class Generations {
  readonly #dir: string;

  /**
   * @param dir made when it is missing, for this user alone
   * @throws UnsafePathError when it is somebody else's
   */
  constructor(dir: string) {
    this.#dir = claimDirectory(dir);
  }

  /** Held by whoever indexes. */
  get lock(): string {
    return join(this.#dir, 'indexing.lock');
  }

  database(number: number): string {
    return join(this.#dir, `${number}.db`);
  }

  seal(number: number): string {
    return join(this.#dir, `${number}.seal`);
  }

  /**
   * Which one answers; undefined when none was ever whole.
   * @throws IndexDamage
   */
  current(): number | undefined {
    const text = readPrivate(join(this.#dir, 'current'))?.trim();
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new IndexDamage('the file that names the index is damaged');
    return Number(text);
  }

  /** From now on this one answers. */
  choose(number: number): void {
    writePrivate(join(this.#dir, 'current'), `${number}\n`, { sync: true });
  }

  /** The newest that lies there, whole or not; 0 for none. */
  newest(): number {
    return Math.max(0, ...this.#numbers());
  }

  /** Removes all but those. Whoever still reads one keeps it until it closes it. */
  keep(...kept: readonly number[]): void {
    for (const number of this.#numbers()) if (!kept.includes(number)) this.remove(number);
  }

  remove(number: number): void {
    const file = this.database(number);
    for (const path of [this.seal(number), file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true });
  }

  #numbers(): number[] {
    const names = readdirSync(this.#dir);
    return [...new Set(names.flatMap((name) => /^([1-9]\d{0,8})\./.exec(name)?.[1] ?? []).map(Number))];
  }
}
