// The indexer as whoever searches knows it: one process, started when there is work, ended when there was none for a while.
import type { ChildProcess } from 'node:child_process';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { startProgram } from '../start-program.ts';
import type { IndexerNews, IndexOrder, IndexResult } from './order.ts';

export type IndexerFault = 'busy' | 'vault_missing' | 'disk_full' | 'fault' | 'crashed' | 'silent' | 'closed';

/** The index is as it was, and what was written before this is kept. */
export class IndexerError extends Error {
  readonly reason: IndexerFault;

  /** @param message for people, without a path of this machine */
  constructor(reason: IndexerFault, message: string) {
    super(message);
    this.name = 'IndexerError';
    this.reason = reason;
  }
}

export interface IndexerChildOptions {
  clock: Clock;
  /** The program: `indexer.ts`, or what was built of it. */
  program: string;
  /** What it writes to its standard error. */
  printed: (text: string) => void;
}

/** Without any news it hangs, milliseconds. */
const silenceMs = 120_000;
/** How long it is kept for the next order, milliseconds. */
const lingerMs = 30_000;

/**
 * V8's room for young objects would grow until it holds 100 MB of what nobody uses any more: 320 MB in all for 10,000 notes
 * instead of 200, in the same time (measured). MB.
 */
export const indexerFlags = ['--max-semi-space-size=16'];

interface Job {
  progressed: (done: number, total: number) => void;
  outcome: PromiseWithResolvers<IndexResult>;
  cancelSilence: Cancel;
}

export class IndexerChild {
  readonly #options: IndexerChildOptions;
  #child: ChildProcess | undefined;
  #job: Job | undefined;
  #cancelLinger: Cancel = () => {};
  #closed = false;

  constructor(options: IndexerChildOptions) {
    this.#options = options;
  }

  /**
   * One order at a time. A crash is tried once more: what was written is not done again.
   *
   * @throws IndexerError
   */
  async run(order: IndexOrder, progressed: (done: number, total: number) => void): Promise<IndexResult> {
    try {
      return await this.#once(order, progressed);
    } catch (error) {
      if (!(error instanceof IndexerError) || error.reason !== 'crashed') throw error;
      return await this.#once(order, progressed);
    }
  }

  /** It ends after the batch that it is at; what it wrote is kept. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#end(new IndexerError('closed', 'The indexer was stopped.'));
  }

  #once(order: IndexOrder, progressed: Job['progressed']): Promise<IndexResult> {
    if (this.#closed) return Promise.reject(new IndexerError('closed', 'The indexer was stopped.'));
    if (this.#job) throw new Error('the indexer has an order');
    this.#cancelLinger();
    this.#child ??= this.#start();
    this.#job = {
      progressed,
      outcome: Promise.withResolvers<IndexResult>(),
      cancelSilence: this.#watchSilence(),
    };
    const { promise } = this.#job.outcome;
    this.#child.send(order, (error) => error && this.#crashed());
    return promise;
  }

  #start(): ChildProcess {
    const { program, printed } = this.#options;
    return startProgram<IndexerNews>({
      ...{ program, flags: indexerFlags, printed },
      heard: (news) => this.#heard(news),
      gone: (child) => this.#gone(child),
    });
  }

  #heard(news: IndexerNews): void {
    if (!this.#job) return;
    const { outcome, progressed } = this.#job;
    switch (news.type) {
      case 'progress':
        this.#job.cancelSilence();
        this.#job.cancelSilence = this.#watchSilence();
        return progressed(news.done, news.total);
      case 'done':
        this.#finish();
        return outcome.resolve(news.result);
      case 'failed':
        this.#finish();
        return outcome.reject(new IndexerError(news.reason, news.message));
      default:
        return news satisfies never;
    }
  }

  #finish(): void {
    this.#job?.cancelSilence();
    this.#job = undefined;
    this.#cancelLinger = this.#options.clock.after(lingerMs, () => this.#end());
  }

  #watchSilence(): Cancel {
    return this.#options.clock.after(silenceMs, () => {
      this.#child?.kill('SIGKILL');
      this.#end(new IndexerError('silent', 'The indexer gave no sign of life, and was ended.'));
    });
  }

  #gone(child: ChildProcess): void {
    if (this.#child === child) this.#crashed();
  }

  #crashed(): void {
    this.#end(new IndexerError('crashed', 'The indexer ended in the middle of its work.'));
  }

  #end(error?: IndexerError): void {
    this.#cancelLinger();
    const child = this.#child;
    const job = this.#job;
    this.#child = undefined;
    this.#job = undefined;
    if (child?.connected) child.disconnect();
    job?.cancelSilence();
    if (error) job?.outcome.reject(error);
  }
}
