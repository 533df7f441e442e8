// Keeps the journal, and with it the start, small: rows go to the archive in the background, and when the last of them is
// safe there, a snapshot takes their place in one step. A bridge that is killed at any point of it has lost nothing: a part
// of a segment is removed when the next one is begun, and one whose rows are still in the journal joins nothing.
import type { Cancel, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { SegmentWriter } from './archive/segment-writer.ts';
import type { Entry } from './pending-rows.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteStore } from './sqlite-store.ts';

export interface CompactorOptions {
  journal: Pick<SqliteJournal, 'flush' | 'swap'>;
  store: Pick<SqliteStore, 'last' | 'bytes' | 'end' | 'rawPage'>;
  /** Of the segments. */
  dir: string;
  clock: Clock;
  log: Log;
  /** Whether nobody would notice a pause. */
  isQuiet(): boolean;
  /** What brings a fold to where it is now. @param origin seq of the last row before it */
  snapshot(origin: number): Entry[];
  /** Told after each step that made the archive longer. */
  archived?(): void;
  /** What the journal may hold. At twice as much nobody waits for a quiet moment any more. */
  most: { rows: number; bytes: number };
}

/** Rows that are compressed in one go: 8 ms (measured). */
const pageSize = 500;

/** Milliseconds between two looks. */
const idleMs = 30_000;
const quietMs = 1_000;
/** After trouble with the disk. */
const retryMs = 10 * 60_000;

export class Compactor {
  readonly #options: CompactorOptions;
  #segment: { writer: SegmentWriter; at: number } | undefined;
  #tick: NodeJS.Immediate | undefined;
  #later: Cancel | undefined;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#after(0, () => this.#look());
  }

  close(): void {
    clearImmediate(this.#tick);
    this.#later?.();
    this.#segment?.writer.drop();
    this.#segment = undefined;
  }

  #look(): void {
    if (this.#exceeds(1)) this.#try(() => this.#begin());
    else this.#after(idleMs, () => this.#look());
  }

  /** Whether the journal holds more than `factor` times what it may. */
  #exceeds(factor: number): boolean {
    const { store, most } = this.#options;
    const { last, end, bytes } = store;
    return last - end.origin.seq > most.rows * factor || bytes > most.bytes * factor;
  }

  #begin(): void {
    const { dir, store } = this.#options;
    const { seq, link, seal } = store.end.origin;
    this.#segment = { writer: SegmentWriter.begin(dir, { first: seq + 1, link, seal }), at: seq };
    this.#archive();
  }

  #archive(): void {
    if (this.#page()) this.#tick = setImmediate(() => this.#try(() => this.#archive()));
    else if (this.#options.isQuiet() || this.#exceeds(2)) this.#swap();
    else this.#after(quietMs, () => this.#try(() => this.#archive()));
  }

  /** Puts some rows into the archive. @returns whether there are more */
  #page(): boolean {
    const { store } = this.#options;
    if (!this.#segment || this.#segment.at === store.last) return false;
    const rows = store.rawPage(this.#segment.at, pageSize);
    this.#segment.writer.add(rows);
    this.#segment.at += rows.length;
    return this.#segment.at < store.last;
  }

  #swap(): void {
    const { journal, store, log, snapshot, archived } = this.#options;
    if (!journal.flush()) return this.#after(quietMs, () => this.#try(() => this.#archive()));
    while (this.#page());
    this.#segment?.writer.finish();
    this.#segment = undefined;
    const origin = store.last;
    journal.swap(snapshot(origin));
    log.info('older rows of the journal were archived', { up_to: origin });
    archived?.();
    this.#after(idleMs, () => this.#look());
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#segment?.writer.drop();
      this.#segment = undefined;
      this.#options.log.warn('the journal could not be archived, and stays as it is', { error });
      this.#after(retryMs, () => this.#look());
    }
  }

  #after(ms: number, work: () => void): void {
    this.#later = this.#options.clock.after(ms, work);
  }
}
