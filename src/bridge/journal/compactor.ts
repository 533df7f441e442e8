// Keeps the journal, and with it the start, small: rows go to the archive in the background, a snapshot is written behind
// the last of them, and when all before it is safe in the archive, it goes in one step. A bridge that is killed at any point
// of it has lost nothing: a part of a segment is removed when the next one is begun, one whose rows are still in the journal
// joins nothing, and a snapshot with its rows before it says what they say.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import { SegmentWriter } from './archive/segment-writer.ts';
import type { Origin } from './chain/origin.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteStore } from './store/sqlite-store.ts';

export interface CompactorOptions {
  journal: Pick<SqliteJournal, 'append' | 'between' | 'last'>;
  /** Seq of the last row before the newest snapshot. */
  base: number;
  store: Pick<SqliteStore, 'last' | 'bytes' | 'free' | 'isSmall' | 'end' | 'rawPage' | 'swap' | 'scrub'>;
  /** Of the segments. */
  dir: string;
  clock: Clock;
  log: Log;
  /** Whether nobody would notice a pause. */
  isQuiet(): boolean;
  /** What brings a fold to where it is now. @param origin seq of the last row in the archive */
  snapshot(origin: number): Iterable<{ session: string; events: readonly SessionEvent[] }>;
  /** Bytes that the disk has left. */
  room(): number;
  /** Told after each step that made the archive longer. */
  archived?(): void;
  /** What the journal may hold. At twice as much nobody waits for a quiet moment any more. */
  most: { rows: number; bytes: number };
}

/** Rows that are compressed in one go: 8 ms (measured). */
const pageSize = 500;

/** Rows behind the newest snapshot: a start folds them in 6 ms (measured). */
const enoughRows = 2_000;

/** Milliseconds between two looks. */
const idleMs = 30_000;
const quietMs = 1_000;
/** After trouble with the disk. */
const retryMs = 10 * 60_000;

export class Compactor {
  readonly #options: CompactorOptions;
  #writer: SegmentWriter | undefined;
  #later: Cancel | undefined;
  /** Ends a pause. */
  #goOn = () => {};
  #running: Promise<void> | undefined;
  #closed = false;
  #base: number;
  /** Rows behind the newest snapshot that make another one worth its room. */
  #enough = enoughRows;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#base = options.base;
  }

  start(): void {
    this.#closed = false;
    this.#after(0, () => this.#look());
  }

  /** Resolves when nothing of it is under way; it may be started again then. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#later?.();
    this.#goOn();
    this.#writer?.drop();
    await this.#running;
  }

  #look(): void {
    const { isQuiet } = this.#options;
    if (this.#exceeds(1)) this.#running = this.#compact();
    else if (this.#behind < this.#enough || !this.#hasRoom) this.#after(idleMs, () => this.#look());
    else if (isQuiet()) this.#running = this.#shorten();
    else this.#after(quietMs, () => this.#look());
  }

  /** Rows that a start folds. */
  get #behind(): number {
    const { last, end } = this.#options.store;
    return last - Math.max(this.#base, end.origin.seq);
  }

  /**
   * A snapshot is half of what the journal may hold at most, in the log and in the database. It is nothing that has to be
   * written, and on a full disk it would take the room that is kept for what has.
   */
  get #hasRoom(): boolean {
    const { room, most } = this.#options;
    return room() >= most.bytes;
  }

  /** Puts a snapshot among the rows: those before it stay where they are, and need not be folded. */
  async #shorten(): Promise<void> {
    const { journal, store, snapshot, log } = this.#options;
    try {
      await journal.between(() => {
        if (this.#closed) return;
        const { last, origin } = store.end;
        const behind = this.#behind;
        const made = upTo((store.bytes * behind) / (last - origin.seq) / 2, snapshot(origin.seq));
        this.#enough = made ? enoughRows : behind * 2;
        if (!made) return;
        for (const { session, events } of made) journal.append(session, events);
        this.#base = last;
      });
      this.#after(idleMs, () => this.#look());
    } catch (error) {
      if (this.#closed) return;
      log.warn('the journal got no snapshot, and the next start takes longer', { error });
      this.#after(retryMs, () => this.#look());
    }
  }

  /** Whether the journal holds more than `factor` times what it may. */
  #exceeds(factor: number): boolean {
    const { store, most } = this.#options;
    const { last, end, bytes } = store;
    return last - end.origin.seq > most.rows * factor || bytes > most.bytes * factor;
  }

  async #compact(): Promise<void> {
    const { dir, store, log, archived } = this.#options;
    try {
      const { seq, link, seal } = store.end.origin;
      const writer = SegmentWriter.begin(dir, { first: seq + 1, link, seal });
      this.#writer = writer;
      do await this.#copy(writer, store.last);
      while (await this.#isBusy());
      if (this.#closed) return;
      const origin = await this.#snapshot();
      await this.#copy(writer, origin.seq);
      if (this.#closed) return;
      await writer.finish();
      await this.#options.journal.between(() => store.swap(origin));
      log.info('older rows of the journal were archived', { up_to: origin.seq });
      archived?.();
      await this.#shrink();
      this.#after(idleMs, () => this.#look());
    } catch (error) {
      this.#writer?.drop();
      if (this.#closed) return;
      log.warn('the journal could not be archived, and stays as it is', { error });
      this.#after(retryMs, () => this.#look());
    }
  }

  /** Puts the rows up to `last` into the archive, some at a time. */
  async #copy(writer: SegmentWriter, last: number): Promise<void> {
    while (!this.#closed && writer.end.seq < last) {
      writer.add(this.#options.store.rawPage(writer.end.seq, Math.min(pageSize, last - writer.end.seq)));
      await nextTurn();
    }
  }

  /** Waits a little while somebody would notice a pause, unless there is too much by now. */
  async #isBusy(): Promise<boolean> {
    if (this.#closed || this.#options.isQuiet() || this.#exceeds(2)) return false;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
      this.#after(quietMs, resolve);
    });
    return true;
  }

  /** @returns where the rows end that it stands for */
  #snapshot(): Promise<Origin> {
    const { journal, store, snapshot } = this.#options;
    return journal.between(() => {
      const { last: seq, link, seal } = store.end;
      for (const { session, events } of [...snapshot(seq)]) journal.append(session, events);
      return { seq, link, seal, snapshot: journal.last };
    });
  }

  /** What was archived leaves room for what comes. A journal that grew unarchived leaves more than will ever be used. */
  async #shrink(): Promise<void> {
    const { journal, store, isQuiet, most, log } = this.#options;
    if (this.#closed || store.free <= 3 * most.bytes || !(store.isSmall || isQuiet())) return;
    await journal
      .between(() => store.scrub())
      .catch((error: unknown) => log.warn('what is free in the journal stays a part of its file', { error }));
  }

  #after(ms: number, work: () => void): void {
    if (!this.#closed) this.#later = this.#options.clock.after(ms, work);
  }
}

/** @returns undefined when they are longer than so many characters: no more is looked at than that */
function upTo<T>(most: number, events: Iterable<T>): T[] | undefined {
  const all: T[] = [];
  let length = 0;
  for (const each of events) {
    length += JSON.stringify(each).length;
    if (length > most) return undefined;
    all.push(each);
  }
  return all;
}
