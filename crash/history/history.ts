import { appendFileSync } from 'node:fs';
import type { Entry, Fact } from './entry.ts';

type Watcher = (entry: Entry) => void;

/** history.jsonl while it is written. */
export class History {
  readonly #file: string;
  readonly #watchers = new Set<Watcher>();
  readonly entries: Entry[] = [];
  #commands = 0;

  constructor(file: string) {
    this.#file = file;
  }

  write(fact: Fact): void {
    const entry: Entry = { ...fact, wall: Date.now() };
    this.entries.push(entry);
    // Whoever waits for this moment is to strike at it, not after the disk.
    for (const watcher of [...this.#watchers]) watcher(entry);
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  claim(what: string, held: boolean, words = ''): void {
    this.write({ is: 'claim', what, held, words });
  }

  /** Told of each entry as it is written. @returns what ends it */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** The name of a new command. */
  nextCommand(): number {
    this.#commands += 1;
    return this.#commands;
  }
}
