// The chain of the journal that this process writes: verified and anchored while it grows.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditVerdict } from '../../../domain/views/audit/audit.ts';
import { archivedBefore, chained } from '../archive/archived-rows.ts';
import { anchorLine } from '../chain/anchor.ts';
import type { ChainKey } from '../chain/chain-key.ts';
import type { StoredRow } from '../chain/hash-chain.ts';
import { readHead } from '../chain/head-file.ts';
import type { JournalFiles } from '../store/journal-files.ts';
import type { SqliteStore } from '../store/sqlite-store.ts';
import { verifyChain } from './verify-chain.ts';

/** Rows hashed at once: between pages others get their turn. */
const pageSize = 256;

export class LiveChain {
  readonly #store: SqliteStore;
  readonly #files: JournalFiles;
  readonly #key: ChainKey;

  constructor(store: SqliteStore, files: JournalFiles, key: ChainKey) {
    this.#store = store;
    this.#files = files;
    this.#key = key;
  }

  /** Seq of the last committed row. */
  get last(): number {
    return this.#store.last;
  }

  /** One line for what no power cut takes any more. */
  anchor(at: number): string {
    const { last, link, mark } = this.#store.synced;
    const about = { seq: last, link, marks: mark.marks, at: new Date(at).toISOString() };
    return anchorLine(this.#key, about);
  }

  /** Of the archive and what is committed now; rows that come meanwhile are left alone. */
  async verify(anchors: readonly string[]): Promise<AuditVerdict> {
    const { last, origin } = this.#store.end;
    const head = readHead(this.#files.head);
    const marks = this.#store.marks();
    const { start, rows: archived } = archivedBefore(this.#files.archive, origin);
    const rows = chained(archived, this.#rows(origin.seq, last));
    const verdict = await verifyChain({ rows, start, last, marks, head, key: this.#key, anchors });
    // Rows that went into the archive under its hands.
    return origin.seq === this.#store.origin ? verdict : this.verify(anchors);
  }

  async *#rows(after: number, last: number): AsyncGenerator<StoredRow> {
    let cursor = after;
    while (cursor < last) {
      const page = this.#store.rawPage(cursor, pageSize);
      yield* page;
      if (page.length === 0) return;
      cursor += page.length;
      await nextTurn();
    }
  }
}
