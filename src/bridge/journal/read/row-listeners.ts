import type { Log } from '../../../base/log.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';

export type RowListener = (row: JournalRow) => void;

interface Entry {
  listener: RowListener;
  /** Rows up to this seq were there before the listener came: it reads them, it is not called for them. */
  after: number;
}

/**
 * Tells listeners about rows, each row to all before the next row to any, even when a listener appends more.
 * A listener that throws loses nothing for the others. Listeners of one session cost the other sessions nothing.
 */
export class RowListeners {
  readonly #log: Log;
  readonly #every = new Set<Entry>();
  readonly #bySession = new Map<string, Set<Entry>>();
  readonly #queue: JournalRow[] = [];
  #publishing = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns the function that removes it; calling that again does nothing. */
  add(listener: RowListener, after: number, session?: string): () => void {
    const entry = { listener, after };
    const set = session === undefined ? this.#every : this.#sessionSet(session);
    set.add(entry);
    return () => {
      set.delete(entry);
      if (session !== undefined && set.size === 0 && this.#bySession.get(session) === set) {
        this.#bySession.delete(session);
      }
    };
  }

  publish(rows: readonly JournalRow[]): void {
    if (this.#publishing) return void this.#queue.push(...rows);
    this.#publishing = true;
    for (const row of rows) this.#tellAll(row);
    // What listeners have appended meanwhile.
    for (let row = this.#queue.shift(); row; row = this.#queue.shift()) this.#tellAll(row);
    this.#publishing = false;
  }

  clear(): void {
    this.#every.clear();
    this.#bySession.clear();
  }

  #sessionSet(session: string): Set<Entry> {
    const found = this.#bySession.get(session) ?? new Set<Entry>();
    this.#bySession.set(session, found);
    return found;
  }

  #tellAll(row: JournalRow): void {
    this.#tell(this.#every, row);
    const ofSession = this.#bySession.get(row.session);
    if (ofSession) this.#tell(ofSession, row);
  }

  #tell(entries: Iterable<Entry>, row: JournalRow): void {
    for (const { listener, after } of entries) {
      if (row.seq <= after) continue;
      try {
        listener(row);
      } catch (error) {
        this.#log.error('a reader of the journal failed', { seq: row.seq, session: row.session, error });
      }
    }
  }
}
