import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import { isFleeting } from '../../../protocol/events/fleeting.ts';
import type { UnlinkedRow } from '../chain/hash-chain.ts';

interface PendingRow {
  row: JournalRow;
  /** Its event as JSON. */
  body: string;
}

/** What came in one step. */
interface Added {
  rows: JournalRow[];
  /** Their length. */
  characters: number;
  /** Whether one of them has to survive a power cut. */
  needsSync: boolean;
}

/** Rows were hashed when the file was opened, so they are what this code wrote: no schema check per row. */
export function decodeRow({ seq, at, session, body }: UnlinkedRow): JournalRow {
  if (session !== last.stored) last = { stored: session, key: JSON.parse(session) };
  return { seq, at, session: last.key, event: JSON.parse(body) };
}

/** The row before is most often one of the same session. */
let last = { stored: '""', key: '' };

/** Rows that readers have and the database does not: in order, without gaps. */
export class PendingRows {
  #rows: PendingRow[];
  #needsSync: boolean;
  /** Seq of the newest row there is, here or in the database. */
  last: number;

  /** @param last seq of the last row in the database. @param rows those behind it that are known already */
  constructor(last: number, rows: readonly UnlinkedRow[]) {
    this.#rows = rows.map((stored) => ({ row: decodeRow(stored), body: stored.body }));
    this.#needsSync = this.#rows.some(({ row }) => !isFleeting(row.event));
    this.last = last + rows.length;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Whether one of them has to survive a power cut. */
  get needsSync(): boolean {
    return this.#needsSync;
  }

  /**
   * @param wall clock, epoch ms
   * @throws TypeError for an event that is no JSON; nothing was added
   */
  append(session: string, events: readonly SessionEvent[], wall: number): Added {
    const at = Math.trunc(wall);
    // All of them are encoded before any gets a seq: there must be no hole.
    const pending = events.map((event, index) => {
      const row = { seq: this.last + 1 + index, at, session, event };
      return { row, body: JSON.stringify(event) };
    });
    this.last += pending.length;
    const added: Added = { rows: [], characters: 0, needsSync: false };
    for (const each of pending) {
      this.#rows.push(each);
      added.rows.push(each.row);
      added.characters += each.body.length;
      added.needsSync ||= !isFleeting(each.row.event);
    }
    this.#needsSync ||= added.needsSync;
    return added;
  }

  /** As the database takes them. @param after seq of the last row that is left out */
  stored(after: number): UnlinkedRow[] {
    return this.#rows.slice(this.#placeBehind(after)).map(({ row: { seq, at, session }, body }) => {
      return { seq, at, session: JSON.stringify(session), body };
    });
  }

  /** Up to `size` rows with seq > `after`, oldest first. */
  page(after: number, size: number, session: string | undefined): JournalRow[] {
    const rows: JournalRow[] = [];
    for (let at = this.#placeBehind(after); rows.length < size; at += 1) {
      const row = this.#rows[at]?.row;
      if (!row) break;
      if (session === undefined || row.session === session) rows.push(row);
    }
    return rows;
  }

  /** The database has them. */
  clear(): void {
    this.#rows = [];
    this.#needsSync = false;
  }

  #placeBehind(seq: number): number {
    return Math.max(0, seq - (this.last - this.#rows.length));
  }
}
