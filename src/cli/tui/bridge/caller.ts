// Which rows the screen calls its operator for: those that happen while it looks, each once.
import { type Notice, NoticeWatch } from '../../../domain/words/notice.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { Model } from '../model/model.ts';
import { findAsk } from '../model/rows.ts';

/** Of one batch: after a lost connection many things may have happened. */
const mostAtOnce = 3;

export class Caller {
  readonly #watch: NoticeWatch;
  /** Seq of the last row that was heard: what comes again after a reconnect is nothing new. */
  #heard = 0;

  constructor(longTurnMs: number) {
    this.#watch = new NoticeWatch(longTurnMs);
  }

  /** What a snapshot holds is told by the screen itself. @param seq of its last row */
  snapshot(seq: number): void {
    this.#heard = seq;
  }

  /** @returns what happened in rows that are new */
  hear(rows: readonly JournalRow[]): Notice[] {
    const notices: Notice[] = [];
    for (const row of rows) {
      if (row.seq <= this.#heard) this.#watch.load(row);
      else {
        const notice = this.#watch.observe(row);
        if (notice) notices.push(notice);
        this.#heard = row.seq;
      }
    }
    return notices;
  }
}

/** What still is so in the newest state, the newest of it. */
export const worthACall = (notices: readonly Notice[], model: Model): Notice[] =>
  notices
    .filter(({ code }) => code === undefined || findAsk(model, code)?.ask.state.name === 'asked')
    .slice(-mostAtOnce);
