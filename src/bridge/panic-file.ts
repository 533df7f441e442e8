// `<state>/panic.json`: everything is stopped, also for a bridge that starts later. Apart from the journal, so that a
// damaged or full one takes nothing away from it, and so that it can be laid down while no bridge runs.
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnsafePathError } from '../base/files/own-path.ts';
import { readPrivate, syncFolder, writePrivate } from '../base/files/private-file.ts';
import { PanicRecord } from '../protocol/panic.ts';
import type { PanicStore } from './app/ports.ts';

export class PanicFile implements PanicStore {
  readonly #dir: string;
  readonly #path: string;

  constructor(stateDir: string) {
    this.#dir = stateDir;
    this.#path = join(stateDir, 'panic.json');
  }

  load(): PanicRecord | undefined {
    try {
      const text = readPrivate(this.#path);
      return text === undefined ? undefined : PanicRecord.parse(JSON.parse(text));
    } catch (error) {
      // A link in its place was planted: whose folder this is has to be looked at first.
      if (error instanceof UnsafePathError) throw error;
      return this.#unreadable();
    }
  }

  save(record: PanicRecord): void {
    writePrivate(this.#path, `${JSON.stringify(record)}\n`, { sync: true });
    syncFolder(this.#dir);
  }

  clear(): void {
    rmSync(this.#path, { force: true });
    syncFolder(this.#dir);
  }

  /** Somebody laid it down for a reason: what cannot be read holds. */
  #unreadable(): PanicRecord {
    const stats = lstatSync(this.#path, { throwIfNoEntry: false });
    return { since: Math.floor(stats?.mtimeMs ?? 0), by: 'a file that cannot be read (panic.json)' };
  }
}
