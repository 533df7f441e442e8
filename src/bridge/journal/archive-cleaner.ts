// Takes what was forgotten out of the archive, and out of the unused parts of the files, in the background. What is to
// be done stands in the database from the step on in which the rows became tombstones, until all of it is done: a bridge
// that is killed goes on with it at its next start.
import type { Log } from '../../base/log.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { cleanSegment } from './archive/clean-segment.ts';
import { SegmentDamagedError } from './archive/segment-error.ts';
import type { Segment } from './archive/segment-name.ts';
import { listSegments, removeParts } from './archive/segments.ts';
import type { Past } from './chain/forget-rows.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteStore } from './store/sqlite-store.ts';

export interface ArchiveCleanerOptions {
  journal: Pick<SqliteJournal, 'between'>;
  store: Pick<SqliteStore, 'past' | 'isSmall' | 'scrub' | 'settle' | 'tombstoneOf'>;
  /** Of the segments. */
  dir: string;
  clock: Clock;
  log: Log;
  /** Whether nobody would notice a pause. */
  isQuiet(): boolean;
  /** Once it resolves nobody else writes to the archive, and what is half written there is of no use. */
  begins(): Promise<void>;
  ended(): void;
}

/** Milliseconds between two looks. */
const quietMs = 1_000;
/** After trouble with the disk. */
const retryMs = 10 * 60_000;

export class ArchiveCleaner {
  readonly #options: ArchiveCleanerOptions;
  #running: Promise<void> | undefined;
  #scrubbed: PromiseWithResolvers<void> | undefined;
  #later: Cancel | undefined;
  /** Ends a pause. */
  #goOn = () => {};
  #closed = false;

  constructor(options: ArchiveCleanerOptions) {
    this.#options = options;
  }

  /** Segments that are still to be looked through. */
  get left(): number {
    return this.#segments(this.#options.store.past).length;
  }

  /** Something was forgotten, or the bridge starts. Resolves when the files of the database are free of it. */
  async wake(): Promise<void> {
    if (this.#closed || this.#options.store.past.length === 0) return;
    this.#later?.();
    this.#goOn();
    const scrubbed = this.#scrubbed ?? Promise.withResolvers<void>();
    this.#scrubbed = scrubbed;
    this.#running ??= this.#run();
    await scrubbed.promise;
  }

  /** Resolves when nothing of it is under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#later?.();
    this.#goOn();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, begins, ended } = this.#options;
    try {
      await this.#scrub();
      await begins();
      removeParts(this.#options.dir);
      await this.#cleanAll();
    } catch (error) {
      if (!this.#closed) log.warn('not everything of a removed session is deleted yet', { error });
      this.#after(retryMs, () => void this.wake());
    }
    this.#running = undefined;
    if (this.#closed) return;
    ended();
    // Something was forgotten right at the end.
    if (this.#scrubbed) this.#running = this.#run();
  }

  /** What is forgotten meanwhile comes next. */
  async #cleanAll(): Promise<void> {
    const { journal, store } = this.#options;
    const seen = new Set<string>();
    for (;;) {
      const past = store.past.filter((each) => !seen.has(nameOf(each)));
      if (past.length === 0 || this.#closed) return;
      for (const each of past) seen.add(nameOf(each));
      const isClean = await this.#clean(past);
      await this.#scrub();
      if (isClean && !this.#closed) await journal.between(() => store.settle(past));
    }
  }

  /** @returns whether nothing of them is left in the archive */
  async #clean(past: readonly Past[]): Promise<boolean> {
    const { dir, store, log } = this.#options;
    let isClean = true;
    for (const segment of this.#segments(past))
      try {
        if (this.#closed) return false;
        const rows = await cleanSegment(dir, segment, past, (row) => store.tombstoneOf(row));
        if (rows > 0) log.info('rows in the archive were forgotten', { rows, from: segment.first });
      } catch (error) {
        // Tried again at the next start: the file of a backup may be in its place by then.
        if (!(error instanceof SegmentDamagedError)) throw error;
        log.warn('a file of the archive is damaged, and may still hold a removed session', { error });
        isClean = false;
      }
    return isClean;
  }

  #segments(past: readonly Past[]): Segment[] {
    const last = Math.max(0, ...past.map(({ removed, upTo }) => Math.max(removed, upTo)));
    return listSegments(this.#options.dir).filter(({ first }) => first <= last);
  }

  /** If that is due. A large database waits for a quiet moment. */
  async #scrub(): Promise<void> {
    const { journal, store, isQuiet } = this.#options;
    while (this.#scrubbed && !this.#closed) {
      if (store.isSmall || isQuiet()) {
        const scrubbed = this.#scrubbed;
        this.#scrubbed = undefined;
        await journal.between(() => store.scrub()).finally(scrubbed.resolve);
        return;
      }
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
        this.#after(quietMs, resolve);
      });
    }
  }

  #after(ms: number, work: () => void): void {
    if (!this.#closed) this.#later = this.#options.clock.after(ms, work);
  }
}

const nameOf = ({ session, upTo }: Past): string => `${upTo} ${session}`;
