// How much of the past is kept, and where: rows that a start need not read go into the archive, old ones of those go for
// good, and so do the files of what was removed.
import { type Cancel, systemClock } from '../../base/clock.ts';
import { currentTurn } from '../../domain/session.ts';
import type { Config } from '../../protocol/config.ts';
import type { JournalRow } from '../../protocol/events.ts';
import { compactionEvents, type Folded } from '../app/compaction.ts';
import { outdated } from '../journal/archive/retention.ts';
import { listSegments, removeSegment } from '../journal/archive/segments.ts';
import { Compactor } from '../journal/compactor.ts';
import type { OpenedJournal } from '../journal/open-journal.ts';
import { ForgottenFiles, type ForgottenFilesOptions } from './forgotten-files.ts';

export interface RetentionOptions extends Folded, ForgottenFilesOptions {
  dispatcher: Folded['dispatcher'] & ForgottenFilesOptions['dispatcher'];
  config: Pick<Config, 'journal'>;
  opened: Pick<OpenedJournal, 'journal' | 'store' | 'archive'>;
}

/** Of the database. A start reads as much in about a second (measured). */
const mostBytes = 64 * 1024 * 1024;

/** Milliseconds between two looks at how old the archive is. */
const pruneEveryMs = 6 * 60 * 60_000;

export class Retention {
  readonly #options: RetentionOptions;
  readonly #compactor: Compactor;
  readonly #files: ForgottenFiles;
  #next: Cancel | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    const { config, opened, dispatcher, log } = options;
    this.#files = new ForgottenFiles(options);
    this.#compactor = new Compactor({
      ...opened,
      dir: opened.archive,
      clock: systemClock,
      log,
      isQuiet: () => !dispatcher.sessionsEver().some(currentTurn),
      snapshot: (origin) => compactionEvents(options, origin),
      archived: () => this.#prune(),
      most: { rows: config.journal.rows, bytes: mostBytes },
    });
  }

  /** Give it every row as it comes. */
  observe(row: JournalRow): void {
    this.#files.observe(row);
  }

  /** Once the journal is loaded. */
  start(): void {
    this.#files.start();
    this.#prune();
    this.#compactor.start();
  }

  /** Nothing that was begun is left half done. Idempotent. */
  close(): void {
    this.#next?.();
    this.#compactor.close();
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
