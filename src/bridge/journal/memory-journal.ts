import { type Log, silentLog } from '../../base/log.ts';
import { type Clock, systemClock } from '../../base/time/clock.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import type { JournalPort } from '../app/ports.ts';
import { JournalClosedError } from './journal-error.ts';
import { RowListeners } from './read/row-listeners.ts';

export interface MemoryJournalOptions {
  clock?: Pick<Clock, 'wall'>;
  log?: Log;
}

/** The journal without a disk: for tests, and for measuring what the disk costs. Forgets everything on exit. */
export class MemoryJournal implements JournalPort {
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #listeners: RowListeners;
  readonly #rows: JournalRow[] = [];
  #closed = false;
  readonly health = 'ok';
  readonly origin = 0;

  constructor(options: MemoryJournalOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#listeners = new RowListeners(options.log ?? silentLog);
  }

  get last(): number {
    return this.#rows.length;
  }

  append(session: string, events: readonly SessionEvent[]): JournalRow[] {
    if (this.#closed) throw new JournalClosedError();
    const at = Math.trunc(this.#clock.wall());
    const rows = events.map((event, index) => ({ seq: this.last + index + 1, at, session, event }));
    this.#rows.push(...rows);
    this.#listeners.publish(rows);
    return rows;
  }

  durable(seq: number): Promise<void> {
    if (seq > this.last) return Promise.reject(new RangeError(`row ${seq} was never appended`));
    return Promise.resolve();
  }

  async kept(seq: number): Promise<boolean> {
    await this.durable(seq);
    return true;
  }

  *read(after: number, limit = Number.POSITIVE_INFINITY, session?: string): Generator<JournalRow> {
    let left = limit;
    for (let index = Math.max(0, after); left > 0; index += 1) {
      const row = this.#rows[index];
      if (!row) return;
      if (session !== undefined && row.session !== session) continue;
      left -= 1;
      yield row;
    }
  }

  subscribe(listener: (row: JournalRow) => void, session?: string): () => void {
    return this.#listeners.add(listener, this.last, session);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
  }
}
