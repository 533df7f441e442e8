import { setImmediate as nextTick } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { UnlinkedRow } from '../../../src/bridge/journal/chain/hash-chain.ts';
import type { JournalHealth } from '../../../src/bridge/journal/journal-state.ts';
import { SqliteJournal } from '../../../src/bridge/journal/sqlite-journal.ts';
import type { RowStore } from '../../../src/bridge/journal/store/sqlite-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const sqliteError = (errcode: number) =>
  Object.assign(new Error(`sqlite says ${errcode}`), { errcode });

/** A disk that notes what it was asked to do, and refuses on demand. */
export class FakeStore implements RowStore {
  readonly origin = 0;
  last = 0;
  /** Seqs of what was written together. */
  readonly writes: number[][] = [];
  /** Last row of what was synced. */
  readonly syncs: number[] = [];
  isDue = false;
  tidied = 0;
  readonly rows: UnlinkedRow[] = [];
  refuse: Error | undefined;
  /** Rows that were put aside; undefined when there is no room for that either. */
  aside: UnlinkedRow[] | undefined;
  closed = 0;

  /** What a sync waits for, and how it ends. */
  disk: Promise<void> = Promise.resolve();

  write(rows: readonly UnlinkedRow[]): void {
    if (this.refuse) throw this.refuse;
    this.writes.push(rows.map(({ seq }) => seq));
    this.rows.push(...rows);
    this.last = this.rows.length;
  }

  async sync(): Promise<void> {
    const { last } = this;
    await this.disk;
    this.syncs.push(last);
  }

  async tidy(): Promise<void> {
    this.isDue = false;
    this.tidied += 1;
  }

  async spill(rows: readonly UnlinkedRow[]): Promise<boolean> {
    this.aside?.push(...rows);
    return this.aside !== undefined;
  }

  page(after: number, size: number): UnlinkedRow[] {
    return this.rows.slice(after, after + size);
  }

  close(): void {
    this.closed += 1;
  }
}

export function journalOn<S extends RowStore>(store: S) {
  const clock = new ManualClock();
  const health: JournalHealth['state'][] = [];
  const journal = new SqliteJournal({
    store,
    clock,
    log: silentLog,
    onHealth: ({ state }) => health.push(state),
  });
  onTestFinished(() => journal.close().catch(() => {}));
  return { clock, health, journal, store };
}

export const isPending = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => false), nextTick().then(() => true)]);
