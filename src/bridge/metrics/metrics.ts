import type { Session } from '../../domain/state/session.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import { gaugesOf, type Look } from './gauges.ts';
import { processMetrics } from './process-metrics.ts';
import { RowMetrics } from './row-metrics.ts';
import { metricsText } from './text-format.ts';

export interface MetricsOptions {
  /** How things are now. */
  look(): Promise<Look>;
  /** Resolves when the row is on disk. */
  durable(seq: number): Promise<void>;
  /** Monotonic, ms. */
  now(): number;
}

interface Followed {
  subscribe(listener: (row: JournalRow) => void): () => void;
}

/** Counts from its start on, whether somebody asks or not: a counter that began with the first question would lie. */
export class Metrics {
  readonly #options: MetricsOptions;
  #rows = new RowMetrics();
  /** A row is on its way to the disk, and is waited for. */
  #timing = false;
  #asked: Promise<string> | undefined;

  constructor(options: MetricsOptions) {
    this.#options = options;
  }

  /** Counts what is appended from now on. Call once. @param sessions as they are now */
  follow(journal: Followed, sessions: readonly Session[]): void {
    this.#rows = new RowMetrics(sessions);
    journal.subscribe((row) => this.#observe(row));
  }

  #observe(row: JournalRow): void {
    this.#rows.observe(row);
    if (!this.#timing && isWaitedFor.has(row.event.type)) this.#time(row.seq);
  }

  /** All metrics in the text format of Prometheus. Who asks while somebody is being answered gets the same. */
  text(): Promise<string> {
    this.#asked ??= this.#read().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #read(): Promise<string> {
    const [own, look] = await Promise.all([processMetrics(), this.#options.look()]);
    return metricsText([this.#rows.samples, gaugesOf(look), own]);
  }

  /** One row at a time: the next ones are mostly in the same transaction. */
  #time(seq: number): void {
    const { now, durable } = this.#options;
    const began = now();
    this.#timing = true;
    durable(seq)
      .then(
        () => this.#rows.samples.observe('synthesis_journal_sync_seconds', (now() - began) / 1000),
        () => {},
      )
      .finally(() => {
        this.#timing = false;
      });
  }
}

/** Their rows go to the disk at once in any case, so to wait for one makes the disk work no sooner. */
const isWaitedFor: ReadonlySet<string> = new Set(['turn.queued', 'turn.settled', 'permission.asked']);
