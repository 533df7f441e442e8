// The journal while no bridge runs: looked at, never changed. It is opened for one page at a time, so that a reader who
// takes his time (`… | less`) never keeps a bridge from starting.
import { DatabaseSync } from 'node:sqlite';
import { lookAtDirectory } from '../../../base/files/own-path.ts';
import { claimFile } from '../../../base/files/private-file.ts';
import type { AuditVerdict } from '../../../domain/views/audit/audit.ts';
import { type JournalStats, journalStats } from '../../../domain/views/journal.ts';
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import { archivedBefore, archivedSegments, chained } from '../archive/archived-rows.ts';
import { anchorLine } from '../chain/anchor.ts';
import type { ChainKey } from '../chain/chain-key.ts';
import type { StoredRow, UnlinkedRow } from '../chain/hash-chain.ts';
import { readHead } from '../chain/head-file.ts';
import { type Mark, readMarks } from '../chain/marks.ts';
import { noOrigin, type Origin, readOrigin } from '../chain/origin.ts';
import { JournalError, JournalLockedError, JournalWriteError } from '../journal-error.ts';
import { claimJournalFiles, type JournalFiles } from '../store/journal-files.ts';
import { RowQuery } from '../store/row-query.ts';
import { sqliteTrouble } from '../store/sqlite-error.ts';
import { bytesIn } from '../store/sqlite-store.ts';
import { verifyChain } from '../verify/verify-chain.ts';
import { decodeRow } from '../write/pending-rows.ts';

/** Rows per opening: the memory that a reader costs. */
const pageSize = 1024;

export class StoppedJournal {
  readonly #files: JournalFiles;

  private constructor(files: JournalFiles) {
    this.#files = files;
  }

  /** @returns undefined when there is no journal. @throws UnsafePathError */
  static at(stateDir: string): StoppedJournal | undefined {
    if (lookAtDirectory(stateDir) === undefined) return undefined;
    const files = claimJournalFiles(stateDir);
    return claimFile(files.db) ? new StoppedJournal(files) : undefined;
  }

  /**
   * The archived ones, too.
   * @throws JournalLockedError when a bridge has it; SegmentDamagedError, and what SQLite throws over a damaged row
   */
  async *events(only?: string): AsyncGenerator<JournalRow> {
    const key = only === undefined ? undefined : JSON.stringify(only);
    const { origin } = this.#end();
    const { rows } = archivedBefore(this.#files.archive, origin);
    for await (const row of chained(rows, this.#rows(origin.seq))) {
      const { seq, at, session, body } = row as Record<keyof StoredRow, never>;
      if (key !== undefined && session !== key) continue;
      yield { seq, at, session: JSON.parse(session) as string, event: JSON.parse(body) as SessionEvent };
    }
  }

  /** What a start would read: without the archive. @throws JournalLockedError when a bridge has it */
  kept(): { origin: number; rows: Iterable<JournalRow> } {
    const origin = this.#end().origin.seq;
    return { origin, rows: this.#rows(origin).map((row) => decodeRow(row as UnlinkedRow)) };
  }

  sessions(): { key: string }[] {
    const rows = this.#open((db) => db.prepare('select distinct session from event').all());
    return rows.map(({ session }) => ({ key: JSON.parse(String(session)) as string }));
  }

  /** @throws JournalLockedError when a bridge has it */
  verify(key: ChainKey, anchors: readonly string[]): Promise<AuditVerdict> {
    const { last, marks, origin } = this.#end();
    const head = readHead(this.#files.head);
    const { start, rows: archived } = archivedBefore(this.#files.archive, origin);
    const rows = chained(archived, this.#rows(origin.seq));
    return verifyChain({ rows, start, last, marks, head, key, anchors });
  }

  /** @throws JournalLockedError when a bridge has it */
  stats(): JournalStats {
    const { last, origin } = this.#end();
    const bytes = this.#open(bytesIn);
    return journalStats({ origin: origin.seq, last, bytes }, archivedSegments(this.#files.archive, origin));
  }

  /** One line for how far the journal goes. @throws JournalLockedError when a bridge has it */
  anchor(key: ChainKey, now: number): string {
    const { last, link, marks } = this.#end();
    return anchorLine(key, { seq: last, link, marks: marks.length, at: new Date(now).toISOString() });
  }

  #end(): { last: number; link: string; marks: Mark[]; origin: Origin } {
    return this.#open((db) => {
      const found = readOrigin(db);
      const origin = typeof found === 'string' ? noOrigin : found;
      const row = db.prepare('select seq, link from event order by seq desc limit 1').get() ?? origin;
      return { last: Number(row.seq), link: String(row.link), marks: readMarks(db), origin };
    });
  }

  *#rows(after: number): Generator<StoredRow> {
    let cursor = after;
    for (;;) {
      const page = this.#open((db) => [
        ...RowQuery.ofAll(db, 'where seq > ? order by seq limit ?').stored(cursor, pageSize),
      ]);
      yield* page;
      const end = Number(page.at(-1)?.seq ?? Number.NaN);
      if (!(end > cursor)) return;
      cursor = end;
    }
  }

  #open<T>(use: (db: DatabaseSync) => T): T {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(this.#files.db, { readOnly: true, timeout: 0 });
      return use(db);
    } catch (error) {
      if (error instanceof JournalError) throw error;
      const trouble = sqliteTrouble(error);
      if (trouble === 'busy') throw new JournalLockedError(this.#files.dir, error);
      if (trouble === 'damaged') throw error;
      throw new JournalWriteError(`${this.#files.db} cannot be read`, false, error);
    } finally {
      db?.close();
    }
  }
}
