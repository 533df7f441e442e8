// Rows go to readers at once and to the disk once per event-loop tick, all of that tick in one transaction.
// Whoever acknowledges something to the outside waits for `durable()`.
import type { Cancel, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { never } from '../../base/never.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events.ts';
import type { JournalPort } from '../app/ports.ts';
import type { UnlinkedRow } from './hash-chain.ts';
import { JournalClosedError, JournalWriteError } from './journal-error.ts';
import type { JournalHealth, JournalState } from './journal-state.ts';
import { decodeRow, type Entry, encodeRows, needSync, PendingRows } from './pending-rows.ts';
import { RowListeners } from './row-listeners.ts';
import { sqliteTrouble } from './sqlite-error.ts';
import type { RowStore } from './sqlite-store.ts';

export interface SqliteJournalOptions {
  store: RowStore;
  clock: Clock;
  log: Log;
  /** Told at every change. On `failed` the bridge has to end: it can acknowledge nothing any more. */
  onHealth?: (health: JournalHealth) => void;
  /** Rows behind the store's that a bridge before has put aside, if the disk is still full. */
  aside?: readonly UnlinkedRow[];
}

/** Rows per query while reading: the memory that a reader costs. */
const pageSize = 128;

/**
 * Streamed text alone waits this long, milliseconds, unless somebody asks for its durability: one commit for many
 * texts. Measured: half of what the journal adds to a text's way to its reader.
 */
const textDelayMs = 10;

/** Pause between two attempts to write to a full disk, milliseconds. */
const retryMs = 1000;

/** Characters of rows that wait for room on a full disk. What has happened cannot be refused, but memory ends, too. */
const heldLimit = 64 * 1024 * 1024;

export class SqliteJournal implements JournalPort {
  readonly #store: RowStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onHealth: (health: JournalHealth) => void;
  readonly #listeners: RowListeners;
  #state: JournalState = { kind: 'ok' };
  readonly #pending: PendingRows;
  #tick: NodeJS.Immediate | undefined;
  #later: Cancel | undefined;
  /** Everybody who waits for the pending rows. */
  #waiting: PromiseWithResolvers<void> | undefined;
  /** Resolves when rows find no room the next time. */
  #refused = Promise.withResolvers<void>();
  /** Seq of the last row that was put aside. */
  #aside = 0;
  /** Nothing more can be put aside: what comes now stands behind rows that found no room. */
  #crammed = false;
  /** Characters of the rows that came while the disk was full. */
  #held = 0;
  #closing: Promise<void> | undefined;

  constructor(options: SqliteJournalOptions) {
    const { store, clock, log, onHealth = () => {}, aside = [] } = options;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#onHealth = onHealth;
    this.#listeners = new RowListeners(log);
    this.#pending = new PendingRows(store.last, aside);
    if (aside.length === 0) return;
    this.#aside = this.last;
    this.#state = this.#full(undefined);
  }

  get last(): number {
    return this.#pending.last;
  }

  /** Seq of the last row that is in the archive alone; 0 for none. */
  get origin(): number {
    return this.#store.origin;
  }

  get health(): JournalHealth['state'] {
    return this.#state.kind === 'closed' ? 'failed' : this.#state.kind;
  }

  /**
   * What has happened is taken whatever the disk says: while it is full rows are put aside in order, or wait in memory.
   * After it failed they are seen by readers, and never become durable.
   * @throws JournalClosedError after close
   */
  append(session: string, events: readonly SessionEvent[]): JournalRow[] {
    if (this.#state.kind === 'closed') throw new JournalClosedError();
    const { rows, characters } = this.#pending.append(session, events, Math.trunc(this.#clock.wall()));
    if (this.#state.kind === 'full') this.#hold(characters);
    this.#flushInTime(rows);
    this.#listeners.publish(rows);
    return rows;
  }

  /**
   * Resolves when row `seq` is committed; while the disk is full, when it was put aside or there is room. After a batch
   * that held any control event that includes the sync to disk; rows of streamed text alone survive the end of this
   * process, but not always a power cut.
   * @throws JournalWriteError when the disk failed, so that it never will be
   */
  durable(seq: number): Promise<void> {
    if (seq <= this.#safe) return Promise.resolve();
    if (seq > this.last) return Promise.reject(new RangeError(`row ${seq} was never appended`));
    if (this.#state.kind === 'closed') return Promise.reject(new JournalClosedError());
    if (this.#state.kind === 'failed') return Promise.reject(this.#state.error);
    this.#flushSoon();
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  /**
   * @returns true when row `seq` is durable, false when there is no room, so that it waits in memory
   * @throws JournalWriteError when the disk failed
   */
  kept(seq: number): Promise<boolean> {
    return Promise.race([this.durable(seq).then(() => true), this.#refused.promise.then(() => false)]);
  }

  /** Seq of the last row that is durable. */
  get #safe(): number {
    return Math.max(this.#store.last, this.#aside);
  }

  /** Reads page by page and sees what is appended meanwhile. `session` keeps other sessions' rows from being read. */
  *read(after: number, limit = Number.POSITIVE_INFINITY, session?: string): Generator<JournalRow> {
    let [cursor, left] = [after, limit];
    while (left > 0) {
      const page = this.#page(cursor, Math.min(left, pageSize), session);
      yield* page;
      const end = page.at(-1);
      if (!end) return;
      cursor = end.seq;
      left -= page.length;
    }
  }

  /** Writes what is pending. @returns whether every row is in the database now */
  flush(): boolean {
    if (this.#state.kind !== 'ok') return false;
    this.#commit();
    return this.#pending.isEmpty && this.health === 'ok';
  }

  /**
   * Puts a snapshot in the place of every row: they have to be in the archive, and in the database (`flush`).
   * @throws what SQLite throws; then nothing has changed
   */
  swap(snapshot: readonly Entry[]): void {
    if (!this.#pending.isEmpty) throw new RangeError('there are rows that the database does not have');
    const rows = encodeRows(this.last, Math.trunc(this.#clock.wall()), snapshot);
    this.#store.swap(rows.map(({ stored }) => stored));
    this.#pending.clear(this.#store.last);
    this.#listeners.publish(rows.map(({ row }) => row));
  }

  subscribe(listener: (row: JournalRow) => void, session?: string): () => void {
    return this.#listeners.add(listener, this.last, session);
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
    if (this.#state.kind === 'full') this.#state.cancelRetry();
    if (this.#state.kind !== 'failed') this.#commit();
    const refusal = 'error' in this.#state ? this.#state.error : undefined;
    if (this.#state.kind === 'full') this.#state.cancelRetry();
    const isSafe = this.last <= this.#safe;
    this.#state = { kind: 'closed' };
    this.#listeners.clear();
    this.#store.close();
    this.#waiting?.reject(refusal ?? new JournalClosedError());
    if (refusal && !isSafe) throw refusal;
  }

  #page(after: number, size: number, session: string | undefined): JournalRow[] {
    if (this.#state.kind === 'closed') throw new JournalClosedError();
    if (after < this.#store.last) {
      const key = session === undefined ? undefined : JSON.stringify(session);
      const stored = this.#store.page(after, size, key);
      if (stored.length > 0) return stored.map(decodeRow);
    }
    return this.#pending.page(after, size, session);
  }

  #flushInTime(rows: readonly JournalRow[]): void {
    if (this.#state.kind === 'failed') return;
    if (needSync(rows)) this.#flushSoon();
    else if (rows.length > 0) this.#later ??= this.#clock.after(textDelayMs, () => this.#flush());
  }

  #hold(characters: number): void {
    this.#held += characters;
    if (this.#held <= heldLimit) return;
    if (this.#state.kind === 'full') this.#state.cancelRetry();
    this.#fail(JournalWriteError.stayedFull());
  }

  /** At the end of this event-loop tick, together with everything else of it. */
  #flushSoon(): void {
    this.#tick ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#state.kind === 'full') this.#putAside();
    else this.#commit();
  }

  #commit(): void {
    this.#calm();
    if (this.#pending.isEmpty) return;
    try {
      this.#store.write(this.#pending.stored(this.#store.last), this.#pending.needSync);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#pending.clear();
    this.#release();
    if (this.#state.kind === 'full') this.#enter({ kind: 'ok' });
  }

  /** There is no room in the database now: the next attempt there is a timer's. */
  #putAside(): void {
    this.#calm();
    if (this.last === this.#safe) return;
    if (!this.#crammed && this.#store.spill(this.#pending.stored(this.#safe))) {
      this.#aside = this.last;
      return this.#release();
    }
    this.#crammed = true;
    this.#refused.resolve();
    this.#refused = Promise.withResolvers();
  }

  #release(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  #calm(): void {
    clearImmediate(this.#tick);
    this.#tick = undefined;
    this.#later?.();
    this.#later = undefined;
  }

  #refuse(cause: unknown): void {
    if (sqliteTrouble(cause) !== 'full') return this.#fail(JournalWriteError.failed(cause));
    this.#enter(this.#full(cause));
    this.#putAside();
  }

  #full(cause: unknown): Extract<JournalState, { kind: 'full' }> {
    return {
      kind: 'full',
      error: JournalWriteError.full(cause),
      cancelRetry: this.#clock.after(retryMs, () => this.#commit()),
    };
  }

  #fail(error: JournalWriteError): void {
    this.#enter({ kind: 'failed', error });
    this.#waiting?.reject(error);
    this.#waiting = undefined;
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
