import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { linkOf, type UnlinkedRow } from './hash-chain.ts';
import type { HeadFile } from './head-file.ts';
import { schemaVersion } from './migrations.ts';

/** What the journal needs from a disk. Everything is synchronous; everything may throw. */
export interface RowStore {
  /** Seq of the last committed row. */
  readonly last: number;
  /** Stores all rows or none. `synced` means that they survive a power cut when this returns. */
  write(rows: readonly UnlinkedRow[], synced: boolean): void;
  /** Up to `size` rows with seq > `after`, oldest first; `session` as it is stored. */
  page(after: number, size: number, session?: string): UnlinkedRow[];
  close(): void;
}

interface Start {
  last: number;
  link: string;
}

const columns = 'select seq, at, session, body from event where seq > ?';

/** The types were checked when the file was opened (see inspect.ts), and only we write to it since. */
const typed = (rows: unknown[]) => rows as UnlinkedRow[];

/** Rows in an exclusively locked SQLite database in WAL mode. */
export class SqliteStore implements RowStore {
  readonly #db: DatabaseSync;
  readonly #head: HeadFile;
  readonly #insert: StatementSync;
  readonly #page: StatementSync;
  readonly #sessionPage: StatementSync;
  #last: number;
  #link: string;
  #synced: boolean | undefined;

  constructor(db: DatabaseSync, head: HeadFile, start: Start) {
    this.#db = db;
    this.#head = head;
    this.#last = start.last;
    this.#link = start.link;
    this.#insert = db.prepare('insert into event (seq, at, session, body, link) values (?, ?, ?, ?, ?)');
    this.#page = db.prepare(`${columns} order by seq limit ?`);
    this.#sessionPage = db.prepare(`${columns} and session = ? order by seq limit ?`);
  }

  get last(): number {
    return this.#last;
  }

  write(rows: readonly UnlinkedRow[], synced: boolean): void {
    const lastRow = rows.at(-1);
    if (!lastRow) return;
    this.#setSynced(synced);
    const link = this.#transaction(() => {
      let previous = this.#link;
      for (const row of rows) {
        previous = linkOf(previous, row);
        this.#insert.run(row.seq, row.at, row.session, row.body, previous);
      }
      return previous;
    });
    this.#last = lastRow.seq;
    this.#link = link;
    this.#head.write({ version: schemaVersion, seq: this.#last, link });
  }

  page(after: number, size: number, session?: string): UnlinkedRow[] {
    return session === undefined
      ? typed(this.#page.all(after, size))
      : typed(this.#sessionPage.all(after, session, size));
  }

  close(): void {
    try {
      this.#db.close();
    } finally {
      this.#head.close();
    }
  }

  #setSynced(synced: boolean): void {
    if (this.#synced === synced) return;
    this.#db.exec(`pragma synchronous = ${synced ? 'full' : 'normal'}`);
    this.#synced = synced;
  }

  #transaction<T>(work: () => T): T {
    this.#db.exec('begin');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some errors; then there is nothing left to roll back.
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }
}
