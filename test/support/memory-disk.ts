// A disk in memory: it fills, fails and loses power when a test says so. What a journal put on it before comes back.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLog } from '../../src/base/log.ts';
import type { UnlinkedRow } from '../../src/bridge/journal/chain/hash-chain.ts';
import { SqliteJournal } from '../../src/bridge/journal/sqlite-journal.ts';
import type { RowStore } from '../../src/bridge/journal/store/sqlite-store.ts';
import type { RowWriterOptions } from '../../src/bridge/journal/write/row-writer.ts';

/** As SQLite says it: SQLITE_FULL, and a failed fsync. */
const codes = { full: 13, failed: 1034 };

export class MemoryDisk {
  /** What the next write meets. */
  trouble: keyof typeof codes | undefined;
  /** A failed sync says nothing of what is on the disk. */
  storesAllTheSame = false;
  /** How many more rows can be put aside while it is full. */
  room = 0;
  /** What a sync waits for. */
  busy: Promise<void> = Promise.resolve();
  readonly rows: UnlinkedRow[] = [];
  aside: UnlinkedRow[] = [];
  /** Seq of the last row that a power cut does not take. */
  #synced = 0;
  /** Which journal may write. */
  #owner = 0;

  get last(): number {
    return this.rows.length;
  }

  write(rows: readonly UnlinkedRow[]): void {
    if (this.trouble === 'failed' && this.storesAllTheSame) this.rows.push(...rows);
    this.#meet();
    this.rows.push(...rows);
  }

  /** The disk takes a turn of the event loop for it, and may have trouble then. Who was killed meanwhile does nothing more. */
  async sync(owner: number): Promise<void> {
    const { last } = this;
    await nextTurn();
    await this.busy;
    if (owner !== this.#owner) return;
    if (this.trouble === 'failed') this.#meet();
    this.#synced = last;
    this.aside = [];
  }

  /** The power goes, and with it what was not synced. */
  loseWhatIsNotSynced(): void {
    this.rows.length = this.#synced;
  }

  async spill(rows: readonly UnlinkedRow[]): Promise<boolean> {
    this.#synced = this.last;
    if (rows.length > this.room) return false;
    this.room -= rows.length;
    this.aside.push(...rows);
    return true;
  }

  page(after: number, size: number, session?: string): UnlinkedRow[] {
    const rows = session === undefined ? this.rows : this.rows.filter((row) => row.session === session);
    const found = rows.filter(({ seq }) => seq > after);
    return found.slice(0, size);
  }

  #meet(): void {
    const { trouble } = this;
    if (trouble) throw Object.assign(new Error(`the disk is ${trouble}`), { errcode: codes[trouble] });
  }

  /** A journal on it, as a bridge that starts finds it. One from before is of a bridge that was killed. */
  journal(options: Pick<RowWriterOptions, 'clock' | 'onHealth'>): SqliteJournal {
    this.#owner += 1;
    const aside = this.aside.filter(({ seq }) => seq > this.last);
    const store = this.#storeOf(this.#owner);
    return new SqliteJournal({ store, log: silentLog, ...options, aside });
  }

  #storeOf(owner: number): RowStore {
    const disk = this;
    return {
      get last() {
        return disk.last;
      },
      origin: 0,
      isDue: false,
      write: (rows) => {
        if (owner === this.#owner) this.write(rows);
      },
      sync: () => this.sync(owner),
      tidy: async () => {},
      spill: async (rows) => owner === this.#owner && (await this.spill(rows)),
      page: (after, size, session) => this.page(after, size, session),
      close: () => {},
    };
  }
}
