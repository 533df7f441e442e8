// Rows go to the disk once per event-loop tick, all of that tick in one transaction. The disk takes its time beside the
// event loop, one thing after the other: what comes meanwhile is the next transaction.
import type { Log } from '../../../base/log.ts';
import { never } from '../../../base/never.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { Waits } from '../../../base/waiting/waits.ts';
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import type { UnlinkedRow } from '../chain/hash-chain.ts';
import { JournalClosedError, JournalWriteError } from '../journal-error.ts';
import type { JournalHealth, JournalState } from '../journal-state.ts';
import { sqliteTrouble } from '../store/sqlite-error.ts';
import type { RowStore } from '../store/sqlite-store.ts';
import { DiskTurns } from './disk-turns.ts';
import { FlushTimer } from './flush-timer.ts';
import { decodeRow, PendingRows } from './pending-rows.ts';

export interface RowWriterOptions {
  store: RowStore;
  clock: Clock;
  log: Log;
  /** Told at every change. On `failed` the bridge has to end: it can acknowledge nothing any more. */
  onHealth?: (health: JournalHealth) => void;
  /** Rows behind the store's that a bridge before has put aside, as its disk was full. */
  aside?: readonly UnlinkedRow[];
}

/** Pause between two attempts to write to a full disk, milliseconds. */
const retryMs = 1000;

/** Characters of rows that wait for room on a full disk. What has happened cannot be refused, but memory ends, too. */
const heldLimit = 64 * 1024 * 1024;

export class RowWriter {
  readonly #store: RowStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onHealth: (health: JournalHealth) => void;
  #state: JournalState = { kind: 'ok' };
  readonly #pending: PendingRows;
  readonly #timer: FlushTimer;
  readonly #disk: DiskTurns;
  /** A flush waits for its turn. */
  #flushing = false;
  readonly #waits = new Waits();
  /** Why nobody knows what is on the disk. */
  #failure: JournalWriteError | undefined;
  /** Seq of the last row that is durable in the database. */
  #stored: number;
  /** Seq of the last row that was put aside. */
  #aside = 0;
  /** Nothing more can be put aside: what comes now stands behind rows that found no room. */
  #crammed = false;
  /** Characters of the rows that came while the disk was full. */
  #held = 0;
  #closing: Promise<void> | undefined;

  constructor(options: RowWriterOptions) {
    const { store, clock, log, onHealth = () => {}, aside = [] } = options;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#onHealth = onHealth;
    this.#timer = new FlushTimer(clock, () => this.#flush());
    this.#disk = new DiskTurns({ clock, log, failed: (cause) => this.#fail(cause) });
    this.#pending = new PendingRows(store.last, aside);
    this.#stored = store.last;
    if (aside.length === 0) return;
    this.#aside = this.last;
    this.#timer.soon();
  }

  get last(): number {
    return this.#pending.last;
  }

  get health(): JournalHealth['state'] {
    return this.#state.kind === 'closed' ? 'failed' : this.#state.kind;
  }

  /** @throws JournalClosedError after close, TypeError for an event that is no JSON */
  append(session: string, events: readonly SessionEvent[]): JournalRow[] {
    if (this.#state.kind === 'closed') throw new JournalClosedError();
    const { rows, characters, needsSync } = this.#pending.append(session, events, this.#clock.wall());
    if (this.#state.kind === 'full') {
      this.#held += characters;
      if (this.#held > heldLimit) this.#fail(JournalWriteError.stayedFull());
    }
    if (this.#state.kind === 'failed' || rows.length === 0) return rows;
    if (needsSync) this.#timer.soon();
    else this.#timer.inTime();
    return rows;
  }

  /**
   * Resolves when row `seq` is committed; while the disk is full, when it was put aside or there is room. After a batch
   * that held any control event that includes the sync to disk; rows of streamed text alone survive the end of this
   * process, but not always a power cut.
   * @throws JournalWriteError when the disk failed, so that it never will be
   */
  durable(seq: number): Promise<void> {
    return this.#known(seq) ?? this.#waits.durable(seq);
  }

  /**
   * @returns true when row `seq` is durable, false when there is no room, so that it waits in memory
   * @throws JournalWriteError when the disk failed
   */
  kept(seq: number): Promise<boolean> {
    return this.#known(seq)?.then(() => true) ?? this.#waits.kept(seq);
  }

  /** Whether row `seq` is durable, when that is known now; otherwise it goes to the disk soon. */
  #known(seq: number): Promise<void> | undefined {
    if (seq <= this.safe) return Promise.resolve();
    if (seq > this.last) return Promise.reject(new RangeError(`row ${seq} was never appended`));
    if (this.#state.kind === 'closed') return Promise.reject(new JournalClosedError());
    if (this.#state.kind === 'failed') return Promise.reject(this.#state.error);
    this.#timer.soon();
    return undefined;
  }

  /** Why the disk is given nothing now. */
  get #refusal(): JournalWriteError | JournalClosedError | undefined {
    if (this.#state.kind === 'closed') return new JournalClosedError();
    return 'error' in this.#state ? this.#state.error : undefined;
  }

  /** Seq of the last row that is durable. */
  get safe(): number {
    return Math.max(this.#stored, this.#aside);
  }

  /**
   * Calls `work` when every row is in the database and the disk does nothing. What it appends, and what it does to the
   * database, is durable when this resolves.
   * @throws JournalWriteError over a disk that is full or failed, JournalClosedError, or what `work` throws
   */
  between<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#disk.whenFree(() => {
      if (this.#refusal || !this.#write()) return reject(this.#refusal);
      let tell: () => void;
      try {
        const value = work();
        tell = () => resolve(value);
      } catch (error) {
        tell = () => reject(error);
      }
      if (!this.#write()) return reject(this.#refusal);
      void this.#disk.begin(() => this.#sync()).then(() => (this.#failure ? reject(this.#failure) : tell()));
    });
    return promise;
  }

  /**
   * Writes what is pending and closes the files. The lock is free when this resolves.
   * @throws JournalWriteError when the pending rows could not be written; everything is closed nevertheless
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const before = this.#state;
    if (before.kind === 'full') before.cancelRetry();
    this.#timer.stop();
    this.#state = { kind: 'closed' };
    await this.#disk.current;
    const refusal = before.kind === 'failed' ? before.error : (this.#failure ?? (await this.#finish()));
    const isSafe = this.last <= this.safe;
    this.#store.close();
    this.#waits.reject(refusal ?? new JournalClosedError());
    if (refusal && !isSafe) throw refusal;
  }

  /** Writes what is pending for the last time, or puts it aside. @returns what the disk has against it */
  async #finish(): Promise<JournalWriteError | undefined> {
    try {
      this.#store.write(this.#pending.stored(this.#store.last));
      await this.#store.sync();
      this.#settle(this.last);
      return undefined;
    } catch (cause) {
      if (sqliteTrouble(cause) !== 'full') return JournalWriteError.failed(cause);
      if (this.last > this.safe) await this.#spill().catch(() => {});
      return JournalWriteError.full(cause);
    }
  }

  /** Up to `size` rows with seq > `after`, oldest first, of one session or of all. @throws JournalClosedError */
  page(after: number, size: number, session: string | undefined): JournalRow[] {
    if (this.#state.kind === 'closed') throw new JournalClosedError();
    if (after < this.#store.last) {
      const key = session === undefined ? undefined : JSON.stringify(session);
      const stored = this.#store.page(after, size, key);
      if (stored.length > 0) return stored.map(decodeRow);
    }
    return this.#pending.page(after, size, session);
  }

  #flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#disk.whenFree(() => {
      this.#flushing = false;
      if (this.#state.kind === 'ok') this.#commit();
      else if (this.#state.kind === 'full' && this.last > this.safe) this.#disk.begin(() => this.#spill());
    });
  }

  #commit(): void {
    if (this.#pending.isEmpty) return;
    // What was put aside lies in a place that the next sync frees.
    const isCheap = !this.#pending.needsSync && this.#aside <= this.#store.last && !this.#store.isDue;
    if (!this.#write()) return;
    if (isCheap) this.#settle(this.#store.last);
    else this.#disk.begin(() => this.#sync());
  }

  /** @returns false when the disk refused: what that means for everybody has been done */
  #write(): boolean {
    if (this.#pending.isEmpty) return true;
    try {
      this.#store.write(this.#pending.stored(this.#store.last));
      this.#pending.clear();
      return true;
    } catch (cause) {
      if (sqliteTrouble(cause) !== 'full') this.#fail(cause);
      else {
        this.#enter(this.#full(cause));
        this.#flush();
      }
      return false;
    }
  }

  async #sync(): Promise<void> {
    const { last } = this.#store;
    await this.#store.sync();
    this.#settle(last);
    if (this.#state.kind === 'full') this.#enter({ kind: 'ok' });
    if (this.#store.isDue) await this.#store.tidy();
  }

  /** Rows up to `seq` are durable in the database. */
  #settle(seq: number): void {
    this.#stored = seq;
    this.#waits.release(seq);
  }

  /** There is no room in the database now: the next attempt there is a timer's. */
  async #spill(): Promise<void> {
    const { last } = this;
    this.#crammed ||= !(await this.#store.spill(this.#pending.stored(this.safe)));
    if (this.#crammed) return void this.#waits.refuse();
    this.#aside = last;
    this.#waits.release(last);
  }

  #full(cause: unknown): Extract<JournalState, { kind: 'full' }> {
    const retry = () =>
      this.#disk.whenFree(() => {
        if (this.#state.kind === 'full') this.#commit();
      });
    return {
      kind: 'full',
      error: JournalWriteError.full(cause),
      cancelRetry: this.#clock.after(retryMs, retry),
    };
  }

  /** Nobody knows what is on the disk now. */
  #fail(cause: unknown): void {
    const error = cause instanceof JournalWriteError ? cause : JournalWriteError.failed(cause);
    this.#failure ??= error;
    if (this.#state.kind === 'full') this.#state.cancelRetry();
    if (this.#state.kind !== 'closed') this.#enter({ kind: 'failed', error });
    this.#waits.reject(error);
  }

  #enter(state: Exclude<JournalState, { kind: 'closed' }>): void {
    const changed = state.kind !== this.#state.kind;
    this.#state = state;
    if (!changed) return;
    switch (state.kind) {
      case 'ok':
        this.#held = 0;
        this.#crammed = false;
        this.#log.info('the journal can be written again');
        return this.#onHealth({ state: 'ok' });
      case 'full':
      case 'failed':
        this.#log.error(state.error.message, { code: state.error.code, cause: state.error.cause });
        return this.#onHealth({ state: state.kind, error: state.error });
      default:
        return never(state);
    }
  }
}
