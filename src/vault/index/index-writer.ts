// Writes an index. Only whoever holds the lock of its folder has one.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { chunkHash, meaningHash } from './chunk-hash.ts';
import { inTransaction } from './in-transaction.ts';
import { reading } from './index-damage.ts';
import { indexFormat, tables } from './schema.ts';
import { indexed } from './terms.ts';

export interface NoteRow {
  /** Inside of the vault, with `/`. */
  path: string;
  /** What the file system said of the file before it was read. */
  mark: string;
  /** Of its bytes. */
  hash: Uint8Array;
  /** Milliseconds since 1970. */
  modified: number;
  title: string;
  tags: readonly string[];
  /** Other titles. */
  aliases: readonly string[];
  chunks: readonly { line: number; heading: string; text: string }[];
  secrets: readonly { line: number; kind: string }[];
  /** Why it has no chunks, in words. */
  problem: string | null;
}

export interface KnownNote {
  id: number;
  mark: string;
  hash: Uint8Array;
}

/** Of SQLite's page cache, KiB. */
const cacheKiB = 16_384;

export class IndexWriter {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param path made when nothing is there
   * @param identity what the index is of; {@link isOf} tells whether it was made for the same
   */
  constructor(path: string, identity: string) {
    this.#db = new DatabaseSync(path, { timeout: 10_000 });
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`);
    if (this.#get('SELECT 1 AS there FROM sqlite_schema LIMIT 1')) return;
    this.#db.exec(`BEGIN IMMEDIATE; ${tables}`);
    this.#run('INSERT INTO meta VALUES (?, ?)', 'identity', fullIdentity(identity));
    this.#db.exec('COMMIT');
  }

  isOf(identity: string): boolean {
    return reading(
      () => this.#get("SELECT value FROM meta WHERE key = 'identity'")?.value === fullIdentity(identity),
    );
  }

  /** By path. */
  notes(): Map<string, KnownNote> {
    return reading(() => {
      const rows = this.#db.prepare('SELECT id, path, mark, hash FROM notes').iterate();
      const known = new Map<string, KnownNote>();
      for (const { id, path, mark, hash } of rows)
        known.set(String(path), { id: Number(id), mark: String(mark), hash: hash as Uint8Array });
      return known;
    });
  }

  /** All of what `work` does, or nothing of it. On disk once it is sealed; before, it survives the end of the process. */
  commit(work: () => void): void {
    reading(() => inTransaction(this.#db, work));
  }

  /** In the place of what was known of that path. */
  put(note: NoteRow): void {
    this.remove(note.path);
    const { path, mark, hash, modified, title, tags, problem } = note;
    const { lastInsertRowid: id } = this.#run(
      'INSERT INTO notes (path, mark, hash, modified, title, tags, problem) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[path, mark, hash, modified, title, JSON.stringify(tags), problem],
    );
    const names = indexed([title, ...note.aliases, fileName(path)].join(' '));
    for (const { line, heading, text } of note.chunks) {
      const { lastInsertRowid: chunk } = this.#run(
        'INSERT INTO chunks (note, line, heading, text, hash, meaning) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, line, heading, text, chunkHash(path, line, heading, text), meaningHash(heading, text)],
      );
      this.#run(
        'INSERT INTO words (rowid, names, heading, text) VALUES (?, ?, ?, ?)',
        ...[chunk, names, indexed(heading), indexed(text)],
      );
    }
    for (const { line, kind } of note.secrets)
      this.#run('INSERT INTO secrets VALUES (?, ?, ?)', id, line, kind);
  }

  remove(path: string): void {
    const id = this.#get('SELECT id FROM notes WHERE path = ?', path)?.id;
    if (typeof id !== 'number') return;
    this.#run('DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE note = ?)', id);
    for (const table of ['chunks', 'secrets']) this.#run(`DELETE FROM ${table} WHERE note = ?`, id);
    this.#run('DELETE FROM notes WHERE id = ?', id);
  }

  /** Its content is the same, and the file another one, or saved again. */
  touch(id: number, mark: string, modified: number): void {
    this.#run('UPDATE notes SET mark = ?, modified = ? WHERE id = ?', mark, modified, id);
  }

  /** Reads all of it: about a second for 160 MB. @throws IndexDamage */
  examine(): void {
    reading(() => {
      const result = this.#get('PRAGMA quick_check(1)')?.quick_check;
      if (result !== 'ok') throw Object.assign(new Error(String(result)), { errcode: 11 });
      this.#db.exec("INSERT INTO words (words) VALUES ('integrity-check')");
    });
  }

  /** Moves what was committed into the file itself, as far as nobody reads an older state of it. */
  settle(): void {
    reading(() => this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  /** Idempotent. */
  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #run(sql: string, ...values: (string | number | bigint | null | Uint8Array)[]) {
    return this.#statement(sql).run(...values);
  }

  #get(sql: string, ...values: (string | number | Uint8Array)[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** Without folders and ending. */
const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

const fullIdentity = (identity: string): string => `${indexFormat} ${identity}`;
