// `<state>/erasures.json`: which removed conversations are still to be erased on the nats-servers. Apart from the journal,
// which by then has forgotten their names.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivate, syncFolder, writePrivate } from '../base/files/private-file.ts';
import { type Erasure, Erasures } from '../protocol/cluster/erasure.ts';

export class ErasureFile {
  readonly #dir: string;
  readonly #path: string;

  constructor(stateDir: string) {
    this.#dir = stateDir;
    this.#path = join(stateDir, 'erasures.json');
  }

  /** @throws UnsafePathError; another error for what is no such file */
  load(): Erasure[] {
    const text = readPrivate(this.#path);
    return text === undefined ? [] : Erasures.parse(JSON.parse(text)).due;
  }

  /** It is on the disk when this returns. @throws what the disk says */
  save(due: readonly Erasure[]): void {
    if (due.length > 0) writePrivate(this.#path, `${JSON.stringify({ version: 1, due })}\n`, { sync: true });
    else rmSync(this.#path, { force: true });
    syncFolder(this.#dir);
  }
}
