import type { JournalRow, SessionEvent } from '../../protocol/events.ts';
import type { UnlinkedRow } from './hash-chain.ts';

interface PendingRow {
  row: JournalRow;
  stored: UnlinkedRow;
}

/**
 * A power cut may cost the last of these: Claude's transcript has them, too, or what they say is over with the bridge.
 * Nothing else may get lost.
 */
const mayBeLostInPowerCut: ReadonlySet<SessionEvent['type']> = new Set([
  'answer.delta',
  'activity',
  'tool.progressed',
  'agent.status',
]);

/** Whether these have to survive a power cut. */
export const needSync = (rows: readonly JournalRow[]): boolean =>
  rows.some(({ event }) => !mayBeLostInPowerCut.has(event.type));

/** Rows were hashed when the file was opened, so they are what this code wrote: no schema check per row. */
export function decodeRow({ seq, at, session, body }: UnlinkedRow): JournalRow {
  return { seq, at, session: JSON.parse(session), event: JSON.parse(body) };
}

/** Rows that readers have and the database does not: in order, without gaps. */
export class PendingRows {
  #rows: PendingRow[];
  /** Seq of the newest row there is, here or in the database. */
  last: number;

  /** @param last seq of the last row in the database. @param rows those behind it that are known already */
  constructor(last: number, rows: readonly UnlinkedRow[]) {
    this.#rows = rows.map((stored) => ({ row: decodeRow(stored), stored }));
    this.last = last + rows.length;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  get needSync(): boolean {
    return needSync(this.#rows.map(({ row }) => row));
  }

  /**
   * @param at wall clock, epoch ms
   * @returns the new rows, and their length in characters
   * @throws TypeError for an event that is no JSON; nothing was added
   */
  append(
    session: string,
    events: readonly SessionEvent[],
    at: number,
  ): { rows: JournalRow[]; characters: number } {
    const key = JSON.stringify(session);
    // All of them are encoded before any gets a seq: there must be no hole.
    const added = events.map((event, index) => {
      const seq = this.last + 1 + index;
      const stored = { seq, at, session: key, body: JSON.stringify(event) };
      return { row: { seq, at, session, event }, stored };
    });
    this.last += added.length;
    for (const each of added) this.#rows.push(each);
    const characters = added.reduce((sum, { stored }) => sum + stored.body.length, 0);
    return { rows: added.map(({ row }) => row), characters };
  }

  /** As the database takes them. @param after seq of the last row that is left out */
  stored(after: number): UnlinkedRow[] {
    return this.#rows.slice(this.#placeBehind(after)).map(({ stored }) => stored);
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
  }

  #placeBehind(seq: number): number {
    return Math.max(0, seq - (this.last - this.#rows.length));
  }
}
