// A disk in memory: it fills, fails and loses power when a test says so. What a journal put on it before comes back.
import { silentLog } from '../../src/base/log.ts';
import type { UnlinkedRow } from '../../src/bridge/journal/hash-chain.ts';
import { SqliteJournal, type SqliteJournalOptions } from '../../src/bridge/journal/sqlite-journal.ts';
import type { RowStore } from '../../src/bridge/journal/sqlite-store.ts';

/** As SQLite says it: SQLITE_FULL, and a failed fsync. */
const codes = { full: 13, failed: 1034 };

export class MemoryDisk {
  /** What the next write meets. */
  trouble: keyof typeof codes | undefined;
  /** A failed sync says nothing of what is on the disk. */
  storesAllTheSame = false;
  /** How many more rows can be put aside while it is full. */
  room = 0;
  readonly rows: UnlinkedRow[] = [];
  aside: UnlinkedRow[] = [];
  /** Which journal may write. */
  #owner = 0;

  get last(): number {
    return this.rows.length;
  }

  write(rows: readonly UnlinkedRow[]): void {
    const { trouble } = this;
    if (trouble === 'failed' && this.storesAllTheSame) this.#store(rows);
    if (trouble) throw Object.assign(new Error(`the disk is ${trouble}`), { errcode: codes[trouble] });
    this.#store(rows);
  }

  spill(rows: readonly UnlinkedRow[]): boolean {
    if (rows.length > this.room) return false;
    this.room -= rows.length;
    this.aside.push(...rows);
    return true;
  }

  page(after: number, size: number, session?: string): UnlinkedRow[] {
    const rows = session === undefined ? this.rows : this.rows.filter((row) => row.session === session);
    const found = rows.filter(({ seq }) => seq > after);
    return found.slice(0, size);
  }

  #store(rows: readonly UnlinkedRow[]): void {
    this.rows.push(...rows);
    this.aside = [];
  }

  /** A journal on it, as a bridge that starts finds it. One from before is of a bridge that was killed. */
  journal(options: Pick<SqliteJournalOptions, 'clock' | 'onHealth'>): SqliteJournal {
    const aside = [...this.aside];
    if (!this.trouble) this.write(aside);
    this.#owner += 1;
    const store = this.#storeOf(this.#owner);
    return new SqliteJournal({ store, log: silentLog, ...options, ...(this.trouble && { aside }) });
  }

  #storeOf(owner: number): RowStore {
    const disk = this;
    return {
      get last() {
        return disk.last;
      },
      origin: 0,
      swap: () => {
        throw new Error('it keeps every row');
      },
      write: (rows) => {
        if (owner === this.#owner) this.write(rows);
      },
      spill: (rows) => owner === this.#owner && this.spill(rows),
      page: (after, size, session) => this.page(after, size, session),
      close: () => {},
    };
  }
}
