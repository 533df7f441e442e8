// Rows go to readers at once, and to the disk a little later. Whoever acknowledges something to the outside waits for
// `durable()`.
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import type { JournalPort } from '../app/ports.ts';
import type { JournalHealth } from './journal-state.ts';
import { RowListeners } from './read/row-listeners.ts';
import { RowWriter, type RowWriterOptions } from './write/row-writer.ts';

/** Rows per query while reading: the memory that a reader costs. */
const pageSize = 128;

export class SqliteJournal implements JournalPort {
  readonly #store: RowWriterOptions['store'];
  readonly #writer: RowWriter;
  readonly #listeners: RowListeners;

  constructor(options: RowWriterOptions) {
    this.#store = options.store;
    this.#writer = new RowWriter(options);
    this.#listeners = new RowListeners(options.log);
  }

  get last(): number {
    return this.#writer.last;
  }

  /** Seq of the last row that is in the archive alone; 0 for none. */
  get origin(): number {
    return this.#store.origin;
  }

  /** Seq of the last row that is on disk. */
  get stored(): number {
    return this.#writer.safe;
  }

  get health(): JournalHealth['state'] {
    return this.#writer.health;
  }

  /**
   * What has happened is taken whatever the disk says: while it is full rows are put aside in order, or wait in memory.
   * After it failed they are seen by readers, and never become durable.
   * @throws JournalClosedError after close
   */
  append(session: string, events: readonly SessionEvent[]): JournalRow[] {
    const rows = this.#writer.append(session, events);
    this.#listeners.publish(rows);
    return rows;
  }

  durable(seq: number): Promise<void> {
    return this.#writer.durable(seq);
  }

  kept(seq: number): Promise<boolean> {
    return this.#writer.kept(seq);
  }

  /** See {@link RowWriter.between}. */
  between<T>(work: () => T): Promise<T> {
    return this.#writer.between(work);
  }

  /** Reads page by page and sees what is appended meanwhile. `session` keeps other sessions' rows from being read. */
  *read(after: number, limit = Number.POSITIVE_INFINITY, session?: string): Generator<JournalRow> {
    let [cursor, left] = [after, limit];
    while (left > 0) {
      const page = this.#writer.page(cursor, Math.min(left, pageSize), session);
      yield* page;
      const end = page.at(-1);
      if (!end) return;
      cursor = end.seq;
      left -= page.length;
    }
  }

  subscribe(listener: (row: JournalRow) => void, session?: string): () => void {
    return this.#listeners.add(listener, this.last, session);
  }

  /**
   * Writes what is pending and closes the files. The lock is free when this resolves.
   * @throws JournalWriteError when the pending rows could not be written; everything is closed nevertheless
   */
  close(): Promise<void> {
    this.#listeners.clear();
    return this.#writer.close();
  }
}
