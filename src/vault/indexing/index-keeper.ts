// Keeps an index up to date with its vault: looks at the disk before each answer, and has the indexer do the rest.
import type { Clock } from '../../base/time/clock.ts';
import type { VaultSettings } from '../../protocol/settings/vault.ts';
import { VaultMissingError } from '../files/vault-missing-error.ts';
import { type Skipped, type Stamp, walkNotes } from '../files/walk.ts';
import { differences } from './differences.ts';
import { type IndexerChild, IndexerError } from './indexer-child.ts';
import type { IndexResult } from './order.ts';

export interface IndexJob {
  id: number;
  state: 'running' | 'done' | 'failed';
  /** Notes that are in the index, of so many. */
  done: number;
  total: number;
  /** ISO 8601. */
  started_at: string;
  took_ms: number;
  result: IndexResult | null;
  error: IndexerError | null;
}

export type Freshness =
  | { kind: 'fresh' }
  /** The folder is there, and holds no notes. */
  | { kind: 'empty' }
  /** The index does not hold so many of the newest changes yet. */
  | { kind: 'behind'; notes: number }
  | { kind: 'failed'; error: IndexerError };

export interface IndexKeeperOptions {
  /** Of the vault, absolute, without links. @throws VaultMissingError */
  root: () => string;
  settings: Pick<VaultSettings, 'include' | 'exclude'>;
  /** Where the index lies. */
  dir: string;
  indexer: IndexerChild;
  clock: Clock;
  /** Hears of each run that ended well. */
  built: () => void;
}

/** A vault that takes no longer to look at is looked at each time, milliseconds: some 3,000 notes. */
const quickLook = 30;
/** Between two looks at another one, milliseconds; one of 10,000 notes takes 100. */
const pauseMs = 2_000;

export class IndexKeeper {
  readonly #options: IndexKeeperOptions;
  #running: Promise<void> | undefined;
  #isRebuild = false;
  #next = 0;
  #seen: { found: ReadonlyMap<string, Stamp>; freshness: Freshness } | undefined;
  /** The one that runs, or ran last. */
  job: IndexJob | null = null;
  /** What the last look at the disk left aside, at most so much as an indexer tells. */
  skipped: readonly Skipped[] = [];

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whatever was seen of the disk is old: something was written to it. */
  forget(): void {
    this.#next = 0;
  }

  /**
   * Begins to index, unless that is being done. To make it anew is something else: it begins when that has ended.
   *
   * @returns when it has ended, well or not; never rejects
   */
  start(rebuild = false): Promise<void> {
    if (rebuild && this.#running && !this.#isRebuild) return this.#running.then(() => this.start(true));
    if (this.#running) return this.#running;
    this.#isRebuild = rebuild;
    this.#running = this.#run(rebuild).finally(() => {
      this.#running = undefined;
      this.forget();
    });
    return this.#running;
  }

  /**
   * Looks at the disk, and has the index follow it.
   *
   * @param known what the index holds of each note; undefined where it cannot be asked
   * @param ms how long to wait for the indexer, milliseconds
   * @throws VaultMissingError
   */
  async follow(known: () => ReadonlyMap<string, string> | undefined, ms: number): Promise<Freshness> {
    const { clock } = this.#options;
    if (this.#seen?.freshness.kind === 'fresh' && clock.now() < this.#next && !this.isRunning)
      return this.#seen.freshness;
    let freshness = this.look(known());
    if (freshness.kind === 'behind') {
      await this.within(this.start(), ms);
      if (this.job?.state === 'failed' && this.job.error) return { kind: 'failed', error: this.job.error };
      freshness = this.look(known());
    }
    return freshness;
  }

  /** Ends the indexer; what it wrote is kept. Idempotent. */
  close(): void {
    this.#options.indexer.close();
  }

  /** @throws VaultMissingError */
  look(known: ReadonlyMap<string, string> | undefined): Freshness {
    const { clock, root, settings } = this.#options;
    const begun = clock.now();
    const { notes, skipped } = walkNotes(root(), settings);
    this.skipped = skipped;
    const freshness = compare(known, notes);
    this.#seen = { found: notes, freshness };
    // Whatever was in the way, somebody has done the work.
    if (freshness.kind === 'fresh' && this.job?.state === 'failed') this.job = null;
    const ended = clock.now();
    this.#next = ended - begun > quickLook ? ended + pauseMs : 0;
    return freshness;
  }

  /** Resolves when the work has, at the latest after so many milliseconds. */
  async within(work: Promise<void>, ms: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, late.resolve);
    await Promise.race([work, late.promise]);
    cancel();
  }

  async #run(rebuild: boolean): Promise<void> {
    const { clock, root, settings, dir, indexer, built } = this.#options;
    const begun = clock.now();
    const id = (this.job?.id ?? 0) + 1;
    let job: IndexJob = {
      id,
      state: 'running',
      done: 0,
      total: this.#seen?.found.size ?? 0,
      started_at: new Date(clock.wall()).toISOString(),
      took_ms: 0,
      result: null,
      error: null,
    };
    const changed = (news: Partial<IndexJob>) => {
      job = { ...job, ...news, took_ms: Math.round(clock.now() - begun) };
      this.job = job;
    };
    changed({});
    try {
      const { include, exclude } = settings;
      const order = { root: root(), include, exclude, dir, rebuild };
      const result = await indexer.run(order, (done, total) => changed({ done, total }));
      this.skipped = result.skipped;
      changed({ state: 'done', result });
      built();
    } catch (error) {
      changed({ state: 'failed', error: asIndexerError(error) });
    }
  }
}

function asIndexerError(error: unknown): IndexerError {
  if (error instanceof IndexerError) return error;
  if (error instanceof VaultMissingError) return new IndexerError('vault_missing', error.message);
  return new IndexerError('fault', 'The indexer could not be started.');
}

function compare(
  known: ReadonlyMap<string, string> | undefined,
  found: ReadonlyMap<string, Stamp>,
): Freshness {
  if (found.size === 0) return { kind: 'empty' };
  if (!known) return { kind: 'behind', notes: found.size };
  const marks = new Map([...known].map(([path, mark]) => [path, { mark }]));
  const { changed, gone } = differences(marks, found);
  const notes = changed.length + gone.length;
  return notes === 0 ? { kind: 'fresh' } : { kind: 'behind', notes };
}
