// How much of the past is kept, and where: rows that a start need not read go into the archive, old ones of those go for
// good, and so do the files of what was removed.
import { statfsSync } from 'node:fs';
import type { Log } from '../../../base/log.ts';
import { type Cancel, systemClock } from '../../../base/time/clock.ts';
import { currentTurn } from '../../../domain/state/session.ts';
import type { Leftover } from '../../../domain/views/prune.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import { compactionEvents, type Folded } from '../../app/forgetting/compaction.ts';
import { Forgetter } from '../../app/forgetting/forgetter.ts';
import { outdated } from '../../journal/archive/retention.ts';
import { listSegments, removeSegment } from '../../journal/archive/segments.ts';
import { ArchiveCleaner } from '../../journal/archive-cleaner.ts';
import { Compactor } from '../../journal/compactor.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';
import { deleteFiles } from './forgotten-files.ts';
import { Pruner } from './pruner.ts';

export interface RetentionOptions extends Omit<Folded, 'forgetter'> {
  dispatcher: Dispatcher;
  stateDir: string;
  log: Log;
  config: Pick<Config, 'journal'>;
  opened: Pick<OpenedJournal, 'journal' | 'store' | 'base' | 'archive'>;
}

/** Of the database. A start checks as much in less than a second (measured). */
const mostBytes = 64 * 1024 * 1024;

/** Milliseconds between two looks at how old the archive is. */
const pruneEveryMs = 6 * 60 * 60_000;

export class Retention {
  readonly #options: RetentionOptions;
  readonly #compactor: Compactor;
  readonly #forgetter: Forgetter;
  readonly #cleaner: ArchiveCleaner;
  readonly pruner: Pruner;
  #next: Cancel | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    const { config, opened, dispatcher, log, stateDir } = options;
    const { journal, store, archive: dir } = opened;
    const clock = systemClock;
    const isQuiet = () => !dispatcher.sessionsEver().some(currentTurn);
    this.#forgetter = new Forgetter({
      ...options,
      journal,
      clock,
      deleteFiles: (about) => deleteFiles(stateDir, log, about),
      bury: (key, past, told) => {
        store.forget({ ...past, session: JSON.stringify(key) });
        journal.append(house, [told]);
      },
      buried: () => this.#cleaner.wake(),
    });
    this.#compactor = new Compactor({
      ...opened,
      dir,
      clock,
      log,
      isQuiet,
      snapshot: (origin) => compactionEvents({ ...options, forgetter: this.#forgetter }, origin),
      room: () => roomAt(stateDir),
      archived: () => this.#prune(),
      most: { rows: config.journal.rows, bytes: mostBytes },
    });
    this.#cleaner = new ArchiveCleaner({
      journal,
      store,
      dir,
      clock,
      log,
      isQuiet,
      begins: () => this.#compactor.close(),
      ended: () => this.#compactor.start(),
    });
    const left = () => this.#cleaner.left;
    this.pruner = new Pruner({ opened, dispatcher, forgetter: this.#forgetter, stateDir, clock, log, left });
  }

  /** Give it every row as the journal is loaded. */
  load(row: JournalRow): void {
    this.#forgetter.load(row);
  }

  /** Give it every row as it comes. */
  observe(row: JournalRow): void {
    this.#forgetter.observe(row);
  }

  /** Nobody reads the session any more. */
  unwatched(key: string): void {
    this.#forgetter.look(key);
  }

  /** Resolves when nothing of it is left but in so many files of the archive, which are being cleaned. */
  async forgotten(key: string): Promise<number> {
    await this.#forgetter.forgotten(key);
    return this.#cleaner.left;
  }

  /** Deletes what is kept of a conversation that was removed. @throws when it is still there then */
  async forgetKept(key: string): Promise<void> {
    const isIt = ({ kind, name }: Pick<Leftover, 'kind' | 'name'>) => kind === 'session' && name === key;
    await this.pruner.prune([{ kind: 'session', name: key }]);
    if ((await this.pruner.look()).some(isIt)) throw new Error('what is kept of it could not be deleted');
  }

  /** Once the journal is loaded, and its rows are observed. */
  start(): void {
    this.#prune();
    this.#compactor.start();
    this.#forgetter.start();
    void this.#cleaner.wake();
  }

  /** Nothing that was begun is left half done when it resolves. Idempotent. */
  async close(): Promise<void> {
    this.#next?.();
    this.#forgetter.close();
    await this.#cleaner.close();
    await this.#compactor.close();
  }

  /** The newest one is what a damaged journal is mended from. */
  #prune(): void {
    const { config, opened, log } = this.#options;
    this.#next?.();
    this.#next = systemClock.after(pruneEveryMs, () => this.#prune());
    try {
      const segments = listSegments(opened.archive).slice(0, -1);
      for (const segment of outdated(segments, config.journal.keepDays, systemClock.wall())) {
        removeSegment(opened.archive, segment);
        log.info('archived rows were deleted for their age', { from: segment.first, to: segment.last });
      }
    } catch (error) {
      log.warn('the archive of the journal could not be looked through', { error });
    }
  }
}

/** Bytes; no limit where the file system does not say. */
function roomAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
