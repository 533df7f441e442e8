// Calls the operator with a program of their own when something waits, fails, or a long turn ends. Nothing waits for it.
import type { Log } from '../../base/log.ts';
import { type Notice, NoticeWatch } from '../../domain/words/notice.ts';
import type { Health, JournalRow } from '../../protocol/events/events.ts';
import type { Masks } from '../app/masking.ts';
import type { JournalPort } from '../app/ports.ts';
import { runNotice } from './run-notice.ts';

export interface NotifierOptions {
  /** Program and arguments. */
  command: readonly string[];
  longTurnMs: number;
  env: Readonly<Record<string, string | undefined>>;
  journal: Pick<JournalPort, 'durable'>;
  /** Whether a question still waits. */
  isOpen(session: string, code: string): boolean;
  log: Log;
  masks: Masks;
  /** Milliseconds that the program has. */
  timeoutMs?: number;
}

const programMs = 10_000;
/** Programs at once, and notices that wait for one of them: what comes on top is left out. */
const mostAtOnce = 2;
const mostWaiting = 20;

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #watch: NoticeWatch;
  readonly #closed = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #waiting: (() => Promise<void>)[] = [];
  #trouble: string | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#watch = new NoticeWatch(options.longTurnMs);
  }

  /** Set while the last notice did not get through. */
  get health(): Health[] {
    return this.#trouble === undefined ? [] : [{ code: 'notify', words: this.#trouble }];
  }

  /** A row from before this start: whoever was to hear of it has. */
  load(row: JournalRow): void {
    this.#watch.load(row);
  }

  /** A row as it is appended. The program runs once it is on disk. */
  observe(row: JournalRow): void {
    const notice = this.#watch.observe(row);
    if (notice) void this.#stored(notice, row);
  }

  /** Ends what runs. Idempotent. */
  async close(): Promise<void> {
    this.#waiting = [];
    this.#closed.abort();
    await Promise.all(this.#running);
  }

  async #stored(notice: Notice, { seq, session }: JournalRow): Promise<void> {
    const { journal, isOpen } = this.#options;
    try {
      await journal.durable(seq);
    } catch {
      // It never will be: then it has not happened.
      return;
    }
    const run = async () => {
      // Answered meanwhile, or at once because nobody was there: nothing waits any more.
      if (notice.code === undefined || isOpen(session, notice.code)) await this.#run(notice);
    };
    if (this.#waiting.length < mostWaiting) this.#waiting.push(run);
    else this.#fails('there were too many notices at once, and some were left out');
    this.#next();
  }

  #next(): void {
    while (this.#running.size < mostAtOnce && !this.#closed.signal.aborted) {
      const run = this.#waiting.shift();
      if (!run) return;
      const running = run().finally(() => {
        this.#running.delete(running);
        this.#next();
      });
      this.#running.add(running);
    }
  }

  async #run(notice: Notice): Promise<void> {
    const { command, env, timeoutMs = programMs } = this.#options;
    const { signal } = this.#closed;
    const words = await runNotice(await this.#masked(notice), { command, env, timeoutMs, signal });
    if (signal.aborted) return;
    if (words === undefined) this.#trouble = undefined;
    else this.#fails(words);
  }

  /** The words of a person, which the notice of an answer quotes, keep all but what is the bridge's own. */
  async #masked(notice: Notice): Promise<Notice> {
    const mask = await this.#options.masks.of(notice.session);
    const text = notice.event === 'done' ? mask.own(notice.text) : mask.whole(notice.text).text;
    return { ...notice, title: mask.whole(notice.title).text, text };
  }

  /** Said once, until another thing goes wrong or it works again. */
  #fails(words: string): void {
    const trouble = `You may not have been notified by \`notify.command\`: ${words}.`;
    if (this.#trouble !== trouble) this.#options.log.warn('a notice did not get through', { words });
    this.#trouble = trouble;
  }
}
