// The chain of the journal that this process writes: verified and anchored while it grows.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditVerdict } from '../../domain/views/audit.ts';
import { anchorLine } from './anchor.ts';
import type { ChainKey } from './chain-key.ts';
import type { StoredRow } from './hash-chain.ts';
import { readHead } from './head-file.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { verifyChain } from './verify-chain.ts';

/** Rows hashed at once: between pages others get their turn. */
const pageSize = 256;

export class LiveChain {
  readonly #store: SqliteStore;
  readonly #headPath: string;
  readonly #key: ChainKey;

  constructor(store: SqliteStore, headPath: string, key: ChainKey) {
    this.#store = store;
    this.#headPath = headPath;
    this.#key = key;
  }

  /** Seq of the last committed row. */
  get last(): number {
    return this.#store.last;
  }

  /** One line for what is committed now. */
  anchor(at: number): string {
    const { last, link, mark } = this.#store.end;
    const about = { seq: last, link, marks: mark.marks, at: new Date(at).toISOString() };
    return anchorLine(this.#key, about);
  }

  /** Of what is committed now; rows that come meanwhile are left alone. */
  verify(anchors: readonly string[]): Promise<AuditVerdict> {
    const { last } = this.#store.end;
    const head = readHead(this.#headPath);
    const marks = this.#store.marks();
    return verifyChain({ rows: this.#rows(last), last, marks, head, key: this.#key, anchors });
  }

  async *#rows(last: number): AsyncGenerator<StoredRow> {
    let cursor = 0;
    while (cursor < last) {
      const page = this.#store.rawPage(cursor, pageSize);
      yield* page;
      if (page.length === 0) return;
      cursor += page.length;
      await nextTurn();
    }
  }
}
