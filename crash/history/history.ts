import { appendFileSync } from 'node:fs';
import type { Entry, Fact } from './entry.ts';

type Watcher = (entry: Entry) => void;

/** history.jsonl while it is written. */
export class History {
  readonly #file: string;
  readonly #watchers = new Set<Watcher>();
  readonly entries: Entry[] = [];
  /** When something was broken for the last time, as performance.now() says. */
  struckAt = 0;
  #commands = 0;
  #open = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** What is said afterwards is not written: a history that went wrong is over before its talkers are. */
  close(): void {
    this.#open = false;
    this.#watchers.clear();
  }

  get open(): boolean {
    return this.#open;
  }

  write(fact: Fact): void {
    if (!this.#open) return;
    const entry: Entry = { ...fact, wall: Date.now() };
    this.entries.push(entry);
    if (fact.is === 'struck') this.struckAt = performance.now();
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
