import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SealedRow } from '../archive/segment-lines.ts';
import type { ChainKey } from '../chain/chain-key.ts';
import { dropPast, eachPast, forgetRows, type LinkedRow, type Past, rewrite } from '../chain/forget-rows.ts';
import { linkOf, type StoredRow, type UnlinkedRow } from '../chain/hash-chain.ts';
import type { Head, HeadFile } from '../chain/head-file.ts';
import { type LastMark, type Mark, readMarks } from '../chain/marks.ts';
import { type Origin, writeOrigin } from '../chain/origin.ts';
import { tombstoneOf } from '../chain/tombstone.ts';
import { schemaVersion } from './migrations.ts';
import type { Reserve } from './reserve.ts';
import { RowQuery } from './row-query.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** What the journal needs from a disk. Everything may throw or reject. While a promise is pending nothing is written. */
export interface RowStore {
  /** Seq of the last committed row. */
  readonly last: number;
  /** Seq of the last row that is in the archive alone; 0 for none. */
  readonly origin: number;
  /** Stores all rows or none. They survive the end of this process, and a power cut after the next `sync`. */
  write(rows: readonly UnlinkedRow[]): void;
  /** Resolves when what was written survives a power cut. Rejects when nobody knows whether it does. */
  sync(): Promise<void>;
  /** Whether it is time for `tidy`. */
  readonly isDue: boolean;
  /** What is done from time to time right behind a `sync`, and nobody waits for. Rejects as `sync`. */
  tidy(): Promise<void>;
  /**
   * Puts rows aside that `write` found no room for; they come again with the next `write`.
   * @param rows those behind the last that was written or put aside
   * @returns whether they survive a power cut now
   */
  spill(rows: readonly UnlinkedRow[]): Promise<boolean>;
  /** Up to `size` rows with seq > `after`, oldest first; `session` as it is stored. */
  page(after: number, size: number, session?: string): UnlinkedRow[];
  close(): void;
}

/** Where the chain stands. */
export interface ChainEnd {
  last: number;
  link: string;
  /** The newest seal of a row. */
  seal: string;
  mark: LastMark;
  origin: Origin;
}

/** What the head file says of a chain that ends so. */
export function sealedHead(key: ChainKey, { last, link, mark }: ChainEnd): Head {
  const seal = key.head({ seq: last, link, ...mark });
  return { version: schemaVersion, seq: last, link, sealed: { marks: mark.marks, seal } };
}

/** @param pages in SQL; those that hold something */
export function bytesIn(db: DatabaseSync, pages = 'page_count - freelist_count'): number {
  const sizes = db.prepare(`select (${pages}) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`);
  return Number(sizes.get()?.bytes);
}

/** Characters of rows that are in memory at once, unless a single one is longer. */
const longestPage = 4 * 1024 * 1024;

/** 40 ms of `scrub` (measured). */
const smallBytes = 4 * 1024 * 1024;

/** Makes durable what SQLite wrote: {@link WriteAheadLog}. */
type DatabaseLog = Pick<WriteAheadLog, 'sync' | 'isLong' | 'renew' | 'close'>;

export interface SqliteStoreOptions {
  db: DatabaseSync;
  log: DatabaseLog;
  head: HeadFile;
  key: ChainKey;
  /** Where the chain ends in `db`. */
  end: ChainEnd;
  /** Undefined when there was no room for it. */
  reserve?: Reserve | undefined;
}

/** Rows in an exclusively locked SQLite database in WAL mode. */
export class SqliteStore implements RowStore {
  readonly #db: DatabaseSync;
  readonly #log: DatabaseLog;
  readonly #head: HeadFile;
  readonly #insert: StatementSync;
  readonly #page: RowQuery;
  readonly #sessionPage: RowQuery;
  readonly #rawPage: RowQuery;
  readonly #key: ChainKey;
  #end: ChainEnd;
  #synced: ChainEnd;
  #forgetting: Past[] = [];
  /** The log and the reserve may hold copies of what was forgotten. */
  #isStale = false;
  readonly #reserve: Reserve | undefined;

  constructor({ db, log, head, key, end, reserve }: SqliteStoreOptions) {
    this.#reserve = reserve;
    this.#db = db;
    this.#log = log;
    this.#head = head;
    this.#key = key;
    this.#end = end;
    this.#synced = end;
    this.#insert = db.prepare(
      'insert into event (seq, at, session, body, link, seal) values (?, ?, ?, ?, ?, ?)',
    );
    this.#rawPage = RowQuery.ofAll(db, 'where seq > ? order by seq limit ?');
    this.#page = RowQuery.ofContents(db, 'where seq > ? order by seq limit ?');
    this.#sessionPage = RowQuery.ofContents(db, 'where seq > ? and session = ? order by seq limit ?');
  }

  get last(): number {
    return this.#end.last;
  }

  get end(): Readonly<ChainEnd> {
    return this.#end;
  }

  /** The end of what survives a power cut for certain. */
  get synced(): Readonly<ChainEnd> {
    return this.#synced;
  }

  get origin(): number {
    return this.#end.origin.seq;
  }

  /** Bytes of the pages that hold something; what was archived leaves free ones, which are used again. */
  get bytes(): number {
    return bytesIn(this.#db);
  }

  /** Bytes of the free ones. */
  get free(): number {
    return bytesIn(this.#db, 'freelist_count');
  }

  write(rows: readonly UnlinkedRow[]): void {
    if (rows.length === 0) return;
    this.#end = this.#transaction(() => {
      for (const past of this.#forgetting) forgetRows(this.#db, this.#key, past);
      return this.#add(rows);
    });
    this.#isStale ||= this.#forgetting.length > 0;
    this.#forgetting = [];
  }

  async sync(): Promise<void> {
    const end = this.#end;
    const synced = this.#log.sync();
    // While the disk is at work.
    const head = sealedHead(this.#key, end);
    await synced;
    this.#confirm(end, head);
  }

  get isDue(): boolean {
    return this.#isStale || this.#log.isLong;
  }

  async tidy(): Promise<void> {
    const isNew = await this.#log.renew({ wiped: this.#isStale });
    if (!this.#isStale || !isNew) return;
    await this.#reserve?.wipe();
    this.#isStale = false;
  }

  /** Rows up to `origin` give way to those behind it: they are in the archive, and `origin.snapshot` tells what they led to. */
  swap(origin: Origin): void {
    this.#end = this.#transaction(() => {
      const live = [...this.#rawPage.stored(origin.seq, -1)] as SealedRow[];
      this.#db.exec('delete from event');
      for (const { seq, at, session, body, link, seal } of live)
        this.#insert.run(seq, at, session, body, link, seal);
      writeOrigin(this.#db, origin);
      return { ...this.#end, origin };
    });
  }

  /** Tombstones take the place of a conversation's rows in the step in which the next rows are written, which tell of it. */
  forget(past: Past): void {
    this.#forgetting.push(past);
  }

  /** What the archive, and the unused parts of the files, may still hold. */
  get past(): Past[] {
    return [...eachPast(this.#db)];
  }

  /** Whether `scrub` is over before anybody notices. */
  get isSmall(): boolean {
    return this.bytes <= smallBytes;
  }

  /** Leaves no unused parts in the files: takes 10 ms for each MB (measured). @throws what SQLite throws */
  scrub(): void {
    rewrite(this.#db);
    this.#isStale = true;
  }

  /** The archive is free of these, too. @throws what SQLite throws */
  settle(past: readonly Past[]): void {
    this.#transaction(() => {
      for (const each of past) dropPast(this.#db, each);
    });
    this.#isStale = true;
  }

  tombstoneOf(row: LinkedRow): Pick<UnlinkedRow, 'session' | 'body'> {
    return tombstoneOf(this.#key, row);
  }

  /** Not before: the head must not name a row that a power cut takes, and the reserve is all there is of its rows. */
  #confirm(end: ChainEnd, head = sealedHead(this.#key, end)): void {
    this.#synced = end;
    this.#head.write(head);
    this.#reserve?.clear();
  }

  /** @returns the new end */
  #add(rows: readonly UnlinkedRow[]): ChainEnd {
    let { last, link, seal } = this.#end;
    for (const [index, row] of rows.entries()) {
      link = linkOf(link, row);
      // One seal a commit: the links carry it back to every row before.
      const isLast = index === rows.length - 1;
      if (isLast) seal = this.#key.row(seal, row.seq, link);
      this.#insert.run(row.seq, row.at, row.session, row.body, link, isLast ? seal : null);
      last = row.seq;
    }
    return { ...this.#end, last, link, seal };
  }

  async spill(rows: readonly UnlinkedRow[]): Promise<boolean> {
    // A row that tells of tombstones must not be kept without them.
    if (this.#forgetting.length > 0) return false;
    // What they stand behind has to be there, too.
    if (this.#synced !== this.#end) await this.#log.sync();
    return (await this.#reserve?.add({ base: this.#end.link, rows: [...rows] })) ?? false;
  }

  /** As they lie on disk, links and seals included. At most `size`, and fewer where they are long. */
  rawPage(after: number, size: number): StoredRow[] {
    const rows: StoredRow[] = [];
    let length = 0;
    for (const row of this.#rawPage.stored(after, size)) {
      rows.push(row);
      length += String(row.body).length;
      if (length >= longestPage) break;
    }
    return rows;
  }

  marks(): Mark[] {
    return readMarks(this.#db);
  }

  page(after: number, size: number, session?: string): UnlinkedRow[] {
    return session === undefined
      ? this.#page.contents(after, size)
      : this.#sessionPage.contents(after, session, size);
  }

  close(): void {
    try {
      this.#log.close();
      this.#confirm(this.#end);
    } finally {
      this.#head.close();
      this.#reserve?.close();
    }
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
