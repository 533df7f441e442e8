// Rows go to readers at once and to the disk once per event-loop tick, all of that tick in one transaction.
// Whoever acknowledges something to the outside waits for `durable()`.
import type { Cancel, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { never } from '../../base/never.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events.ts';
import type { JournalPort } from '../app/ports.ts';
import type { UnlinkedRow } from './hash-chain.ts';
import { JournalClosedError, JournalWriteError } from './journal-error.ts';
import { RowListeners } from './row-listeners.ts';
import { sqliteTrouble } from './sqlite-error.ts';
import type { RowStore } from './sqlite-store.ts';

/** `full` mends itself when there is room again; `failed` is final: what a disk did after a failed sync is unknown. */
export type JournalHealth =
  | { state: 'ok' }
  | { state: 'full'; error: JournalWriteError }
  | { state: 'failed'; error: JournalWriteError };

export interface SqliteJournalOptions {
  store: RowStore;
  clock: Clock;
  log: Log;
  /** Told at every change. On `failed` the bridge has to end: it can acknowledge nothing any more. */
  onHealth?: (health: JournalHealth) => void;
}

type State =
  | { kind: 'open' }
  | { kind: 'full'; error: JournalWriteError; cancelRetry: Cancel }
  | { kind: 'failed'; error: JournalWriteError }
  | { kind: 'closed' };

interface PendingRow {
  row: JournalRow;
  stored: UnlinkedRow;
}

/** A power cut may cost the last of these: Claude's transcript has them, too. Nothing else may get lost. */
const mayBeLostInPowerCut: ReadonlySet<SessionEvent['type']> = new Set([
  'answer.delta',
  'activity',
  'agent.status',
]);

/** Rows per query while reading: the memory that a reader costs. */
const pageSize = 128;

/**
 * Streamed text alone waits this long, milliseconds, unless somebody asks for its durability: one commit for many
 * texts. Measured: half of what the journal adds to a text's way to its reader.
 */
const textDelayMs = 10;

/** Pause between two attempts to write to a full disk, milliseconds. */
const retryMs = 1000;

/** Rows were hashed when the file was opened, so they are what this code wrote: no schema check per row. */
function decode({ seq, at, session, body }: UnlinkedRow): JournalRow {
  return { seq, at, session: JSON.parse(session), event: JSON.parse(body) };
}

export class SqliteJournal implements JournalPort {
  readonly #store: RowStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onHealth: (health: JournalHealth) => void;
  readonly #listeners: RowListeners;
  #state: State = { kind: 'open' };
  #last: number;
  /** Handed to readers, not yet committed; in order, without gaps. */
  #pending: PendingRow[] = [];
  #tick: NodeJS.Immediate | undefined;
  #later: Cancel | undefined;
  /** Everybody who waits for the pending rows. */
  #waiting: PromiseWithResolvers<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SqliteJournalOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onHealth = options.onHealth ?? (() => {});
    this.#listeners = new RowListeners(options.log);
    this.#last = options.store.last;
  }

  get last(): number {
    return this.#last;
  }

  /** @throws JournalWriteError while the disk is full or after it failed, JournalClosedError after close */
  append(session: string, events: readonly SessionEvent[]): JournalRow[] {
    this.#refuseUnlessOpen();
    // All of them are encoded before any gets a seq: an event that is no JSON must not leave a hole.
    const bodies = events.map((event) => JSON.stringify(event));
    const key = JSON.stringify(session);
    const at = Math.trunc(this.#clock.wall());
    const rows = events.map((event, index): JournalRow => {
      const seq = ++this.#last;
      const row = { seq, at, session, event };
      this.#pending.push({ row, stored: { seq, at, session: key, body: bodies[index] ?? 'null' } });
      return row;
    });
    if (events.some((event) => !mayBeLostInPowerCut.has(event.type))) this.#flushSoon();
    else if (rows.length > 0) this.#later ??= this.#clock.after(textDelayMs, () => this.#flush());
    this.#listeners.publish(rows);
    return rows;
  }

  /**
   * Resolves when row `seq` is committed. After a batch that held any control event that includes the sync to disk;
   * rows of streamed text alone survive the end of this process, but not always a power cut.
   * @throws JournalWriteError when the disk refused it
   */
  durable(seq: number): Promise<void> {
    if (seq <= this.#store.last) return Promise.resolve();
    if (seq > this.#last) return Promise.reject(new RangeError(`row ${seq} was never appended`));
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    this.#waiting ??= Promise.withResolvers<void>();
    this.#flushSoon();
    return this.#waiting.promise;
  }

  /** Reads page by page and sees what is appended meanwhile. `session` keeps other sessions' rows from being read. */
  *read(after: number, limit = Number.POSITIVE_INFINITY, session?: string): Generator<JournalRow> {
    let cursor = after;
    let left = limit;
    while (left > 0) {
      const page = this.#page(cursor, Math.min(left, pageSize), session);
      yield* page;
      const end = page.at(-1);
      if (!end) return;
      cursor = end.seq;
      left -= page.length;
    }
  }

  subscribe(listener: (row: JournalRow) => void, session?: string): () => void {
    return this.#listeners.add(listener, this.#last, session);
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
    if (this.#state.kind !== 'failed') this.#flush();
    const refusal = this.#refusal();
    if (this.#state.kind === 'full') this.#state.cancelRetry();
    this.#state = { kind: 'closed' };
    this.#listeners.clear();
    this.#store.close();
    if (refusal && this.#pending.length > 0) throw refusal;
  }

  #page(after: number, size: number, session: string | undefined): JournalRow[] {
    if (this.#state.kind === 'closed') throw new JournalClosedError();
    if (after < this.#store.last) {
      const key = session === undefined ? undefined : JSON.stringify(session);
      const stored = this.#store.page(after, size, key);
      if (stored.length > 0) return stored.map(decode);
    }
    const rows: JournalRow[] = [];
    for (const { row } of this.#pending) {
      if (rows.length >= size) break;
      if (row.seq > after && (session === undefined || row.session === session)) rows.push(row);
    }
    return rows;
  }

  /** At the end of this event-loop tick, together with everything else of it. */
  #flushSoon(): void {
    this.#tick ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearImmediate(this.#tick);
    this.#tick = undefined;
    this.#later?.();
    this.#later = undefined;
    if (this.#pending.length === 0) return;
    const synced = this.#pending.some(({ row }) => !mayBeLostInPowerCut.has(row.event.type));
    try {
      this.#store.write(
        this.#pending.map(({ stored }) => stored),
        synced,
      );
    } catch (error) {
      this.#refused(error);
      return;
    }
    this.#pending = [];
    this.#waiting?.resolve();
    this.#waiting = undefined;
    if (this.#state.kind === 'full') this.#enter({ kind: 'open' });
  }

  #refused(cause: unknown): void {
    const full = sqliteTrouble(cause) === 'full';
    const words = full
      ? 'the disk is full: the journal cannot be written'
      : 'the disk failed: the journal cannot be written';
    const error = new JournalWriteError(words, full, cause);
    this.#enter(
      full
        ? { kind: 'full', error, cancelRetry: this.#clock.after(retryMs, () => this.#flush()) }
        : { kind: 'failed', error },
    );
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #enter(state: Exclude<State, { kind: 'closed' }>): void {
    const changed = state.kind !== this.#state.kind;
    this.#state = state;
    if (!changed) return;
    switch (state.kind) {
      case 'open':
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

  #refusal(): JournalWriteError | JournalClosedError | undefined {
    switch (this.#state.kind) {
      case 'open':
        return undefined;
      case 'full':
      case 'failed':
        return this.#state.error;
      case 'closed':
        return new JournalClosedError();
      default:
        return never(this.#state);
    }
  }

  #refuseUnlessOpen(): void {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
  }
}
