// A lock between processes that dies with whoever holds it, however it ends.
import { DatabaseSync } from 'node:sqlite';

/** Somebody else holds the lock, and went on holding it. */
export class LockBusyError extends Error {
  constructor() {
    super('another program holds the lock');
    this.name = 'LockBusyError';
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED, with their extended codes. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff);

/** Milliseconds between two tries, at most. */
const longestPause = 4;

const nobody = new Int32Array(new SharedArrayBuffer(4));

/**
 * Tries often, and never at the pace of another one: the lock may be free for a moment only, and SQLite's own wait grows
 * to 100 ms. Not with `locking_mode = EXCLUSIVE`: whoever tried in vain would keep a part of the lock there, and two of
 * them wait for each other (measured).
 */
function begin(db: DatabaseSync, ms: number): void {
  const end = performance.now() + ms;
  for (;;) {
    try {
      return db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    Atomics.wait(nobody, 0, 0, Math.random() * longestPause);
  }
}

export class KernelLock {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /**
   * Takes it, and blocks this thread meanwhile.
   *
   * @param path of a file that is made for it and stays
   * @param ms how long to wait for whoever holds it, milliseconds
   * @throws LockBusyError
   */
  static take(path: string, ms: number): KernelLock {
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      begin(db, ms);
      return new KernelLock(db);
    } catch (error) {
      db.close();
      if (isBusy(error)) throw new LockBusyError();
      throw error;
    }
  }

  /** Idempotent. */
  release(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}
