// Brings to the disk what SQLite wrote, in its place: its own syncs stop the event loop, and everybody with it, for as long
// as the disk takes. The order is SQLite's own. The log is synced before it is copied into the database, and the database
// before the log begins anew; and on disk the log is empty before anything goes into it again: a part of the old one would
// be replayed over what is newer. It is empty as soon as its header is, which is one sector; what stands behind that is
// overwritten where it lies.
import { closeSync, constants, fdatasync, fstatSync, ftruncate, write } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { folderSynced } from '../../../base/files/folder-synced.ts';
import { openPrivate } from '../../../base/files/private-file.ts';
import type { JournalFiles } from './journal-files.ts';
import { sqliteTrouble } from './sqlite-error.ts';

/** Bytes of the log's header: without it SQLite takes nothing of a log. */
const headerBytes = 32;

/** Bytes: 256 pages, each in a frame, and the header. A log of so many begins anew. */
const roomy = 256 * (4096 + 24) + headerBytes;

const sync = promisify(fdatasync);
const overwrite = promisify(write);
const cutOff = promisify(ftruncate);

export class WriteAheadLog {
  readonly #db: DatabaseSync;
  readonly #log: number;
  /** Not closed before SQLite has closed its own: that would drop the lock on it. */
  readonly #main: number;
  /** Until its name is on disk, or for good when it cannot be brought there. */
  #named: Promise<void> | undefined;
  /** Bytes that the log had when it began anew, and still has: it is full when there are more. */
  #room = roomy;

  /**
   * From here on SQLite syncs nothing by itself.
   * @param db in WAL mode, exclusively locked; what it wrote so far is on disk
   * @throws UnsafePathError, or what the file system throws
   */
  constructor(db: DatabaseSync, { dir, db: main, wal }: Pick<JournalFiles, 'dir' | 'db' | 'wal'>) {
    this.#db = db;
    this.#main = openPrivate(main, constants.O_RDWR);
    this.#log = openPrivate(wal, constants.O_RDWR);
    // SQLite may have made the log just now, and leaves its name to the first sync. A start need not wait for the disk.
    this.#named = folderSynced(dir);
    this.#named.then(
      () => {
        this.#named = undefined;
      },
      () => {},
    );
    db.exec('pragma wal_autocheckpoint = 0; pragma synchronous = off');
  }

  /** Resolves when what was written before this call survives a power cut. Rejects when nobody knows whether it does. */
  sync(): Promise<void> {
    return this.#named ? this.#named.then(() => sync(this.#log)) : sync(this.#log);
  }

  get isLong(): boolean {
    return fstatSync(this.#log).size > this.#room;
  }

  /**
   * Begins the log anew. Everything in it has to be synced, and nothing may be written meanwhile. Rejects when nobody
   * knows what is on disk.
   * @param wiped whether nothing of what was in it may stay there
   * @returns false when there was no room for what is in it: then it goes on
   */
  async renew({ wiped = false }: { wiped?: boolean } = {}): Promise<boolean> {
    if (!this.#copy()) return false;
    await sync(this.#main);
    await overwrite(this.#log, Buffer.alloc(headerBytes), 0, headerBytes, 0);
    await sync(this.#log);
    // What is overwritten is synced 1.5 times as fast as what makes the file longer (measured), but room has its price.
    if (fstatSync(this.#log).size > 2 * roomy) await cutOff(this.#log, roomy);
    const { size } = fstatSync(this.#log);
    this.#room = Math.max(roomy, size);
    if (!wiped) return true;
    const rest = size - headerBytes;
    await overwrite(this.#log, Buffer.alloc(rest), 0, rest, headerBytes);
    await sync(this.#log);
    return true;
  }

  /** As SQLite does it by itself, syncs included, when it is closed. */
  close(): void {
    try {
      this.#db.exec('pragma synchronous = full');
      this.#db.close();
    } finally {
      closeSync(this.#log);
      closeSync(this.#main);
    }
  }

  /** @returns whether all of it is in the database now: without room there, the log goes on and is tried again */
  #copy(): boolean {
    try {
      const copied = this.#db.prepare('pragma wal_checkpoint(passive)').get();
      return copied?.busy === 0 && copied.log === copied.checkpointed;
    } catch (error) {
      if (sqliteTrouble(error) !== 'full') throw error;
      return false;
    }
  }
}
