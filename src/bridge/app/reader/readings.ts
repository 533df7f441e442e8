// Which requests read which turns right now, and which of them are about to leave.
import type { Clock } from '../../../base/time/clock.ts';

/**
 * Milliseconds for which a new request waits for one that has sent its last bytes and does not know yet whether they
 * arrived. A client answers a question or a tool call as soon as it has read it, so the wait is that of one flush.
 */
const patienceMs = 5_000;

/** One request that reads these turns, until it is closed. */
export class Reading {
  readonly turns: readonly string[];
  /** Milliseconds for which others wait while it leaves. */
  readonly patienceMs: number;
  readonly #over = Promise.withResolvers<void>();
  readonly #forget: (reading: Reading) => void;
  /** It has ended in the middle of a turn; what of it arrived is about to be known. */
  leaving = false;

  constructor(turns: readonly string[], patience: number, forget: (reading: Reading) => void) {
    this.turns = turns;
    this.patienceMs = patience;
    this.#forget = forget;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Idempotent. */
  close(): void {
    this.#forget(this);
    this.#over.resolve();
  }
}

export class Readings {
  readonly #clock: Clock;
  readonly #open = new Set<Reading>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(turns: readonly string[], patience = patienceMs): Reading {
    const reading = new Reading(turns, patience, (each) => this.#open.delete(each));
    this.#open.add(reading);
    return reading;
  }

  isRead(turn: string): boolean {
    return [...this.#open].some(({ turns }) => turns.includes(turn));
  }

  /** Resolves when nobody is leaving any of these turns, when time is up, or when the signal aborts. */
  async left(turns: readonly string[], signal: AbortSignal): Promise<void> {
    const leaving = [...this.#open].filter(
      (each) => each.leaving && each.turns.some((id) => turns.includes(id)),
    );
    if (leaving.length === 0 || signal.aborted) return;
    const enough = Promise.withResolvers<void>();
    const cancel = this.#clock.after(Math.max(...leaving.map((each) => each.patienceMs)), enough.resolve);
    const abort = () => enough.resolve();
    signal.addEventListener('abort', abort);
    await Promise.race([Promise.all(leaving.map(({ over }) => over)), enough.promise]);
    signal.removeEventListener('abort', abort);
    cancel();
  }
}
