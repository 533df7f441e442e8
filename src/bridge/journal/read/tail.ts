// One reader's view of the journal: what was, then what comes, each row once and in order. The reader pulls; what it
// leaves lying is bounded.
import type { JournalRow } from '../../../protocol/events/events.ts';

export type TailItem =
  | { kind: 'row'; row: JournalRow }
  /**
   * Rows from…to (inclusive) are not told: they are in the archive alone, or the reader was too slow for them (with
   * `slow: 'skip'`).
   */
  | { kind: 'gap'; from: number; to: number };

/** The part of the journal that a tail needs. An implementation that ignores `session` only costs more time. */
export interface TailSource {
  /** Seq of the last row that is in the archive alone; 0 for none. */
  readonly origin: number;
  read(after: number, limit?: number, session?: string): Iterable<JournalRow>;
  subscribe(listener: (row: JournalRow) => void, session?: string): () => void;
}

export interface TailOptions {
  /** Seq of the last row that the reader has; 0 for everything. */
  after: number;
  /** Ends the iteration, also while it waits. */
  signal: AbortSignal;
  /** Live rows held in memory for a reader that does not keep up. Default 1024. */
  buffer?: number;
  /** Rows of this session only. */
  session?: string;
  filter?: (row: JournalRow) => boolean;
  /**
   * What happens when `buffer` overflows. `reread` (default): nothing is lost, the reader goes back to the stored rows
   * and catches up. `skip`: the oldest buffered rows are dropped and a gap says which, for a screen that shows now.
   */
  slow?: 'reread' | 'skip';
}

const pageSize = 128;

type Next = { kind: 'row'; row: JournalRow } | { kind: 'gap'; from: number; to: number } | { kind: 'behind' };

/** Rows that came while the reader was busy. */
class LiveRows {
  readonly #size: number;
  readonly #slow: 'reread' | 'skip';
  #rows: JournalRow[] = [];
  #state: 'off' | 'live' | 'behind' = 'off';
  #gap: { from: number; to: number } | undefined;

  constructor(size: number, slow: 'reread' | 'skip') {
    this.#size = size;
    this.#slow = slow;
  }

  start(): void {
    this.#state = 'live';
  }

  push(row: JournalRow): void {
    if (this.#state !== 'live') return;
    this.#rows.push(row);
    if (this.#rows.length > this.#size) this.#overflow();
  }

  take(): Next | undefined {
    if (this.#state === 'behind') {
      this.#state = 'off';
      return { kind: 'behind' };
    }
    if (this.#gap) {
      const gap = this.#gap;
      this.#gap = undefined;
      return { kind: 'gap', ...gap };
    }
    const row = this.#rows.shift();
    return row && { kind: 'row', row };
  }

  #overflow(): void {
    if (this.#slow === 'reread') {
      this.#rows = [];
      this.#state = 'behind';
      return;
    }
    const dropped = this.#rows.shift();
    if (dropped) this.#gap = { from: this.#gap?.from ?? dropped.seq, to: dropped.seq };
  }
}

/** Lets the reader sleep until something happens. A call while nobody sleeps is not needed: it looks before it sleeps. */
class Bell {
  #wake: (() => void) | undefined;

  ring(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Reads the journal from `after` on, without end, until `signal` aborts. Abort it before the journal closes.
 * Rows handed out are not necessarily durable yet.
 */
export async function* tail(journal: TailSource, options: TailOptions): AsyncGenerator<TailItem, void, void> {
  const { after, signal, buffer = 1024, session, filter, slow = 'reread' } = options;
  const wanted = (row: JournalRow) =>
    (session === undefined || row.session === session) && (filter?.(row) ?? true);
  const live = new LiveRows(buffer, slow);
  const bell = new Bell();
  const ring = () => bell.ring();
  const unsubscribe = journal.subscribe((row) => {
    if (!wanted(row)) return;
    live.push(row);
    bell.ring();
  }, session);
  signal.addEventListener('abort', ring);
  try {
    let cursor = after;
    while (!signal.aborted) {
      if (cursor < journal.origin) {
        yield { kind: 'gap', from: cursor + 1, to: journal.origin };
        cursor = Math.max(cursor, journal.origin);
        continue;
      }
      const page = [...journal.read(cursor, pageSize, session)];
      for (const row of page) {
        if (wanted(row)) yield { kind: 'row', row };
        if (signal.aborted) return;
        cursor = row.seq;
      }
      if (page.length > 0) continue;
      // Nothing was read, and nothing can be appended between that and this line: no row falls in between.
      live.start();
      while (!signal.aborted) {
        const next = live.take();
        if (next?.kind === 'behind') break;
        if (next) {
          yield next;
          cursor = next.kind === 'row' ? next.row.seq : next.to;
        } else await bell.wait();
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', ring);
  }
}
