import type { Log } from '../../../base/log.ts';
import type { Health } from '../../../protocol/events/events.ts';
import { sentence } from '../../bridge-refusal.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';
import { recoveredWords } from '../../journal/start/recovered.ts';

/** What the operator has to know of the journal, through every door, as long as it holds. */
export class JournalNotices {
  /** What the start found. */
  readonly start: Health[] = [];
  readonly #log: Log;
  readonly #journal: OpenedJournal['journal'];

  constructor({ journal, recovered, doubt }: OpenedJournal, log: Log) {
    this.#log = log;
    this.#journal = journal;
    if (recovered) this.#found('journal_repaired', sentence(recoveredWords(recovered)));
    if (doubt) this.#found('journal_doubt', sentence(doubt));
  }

  get all(): Health[] {
    const { health } = this.#journal;
    return health === 'ok'
      ? this.start
      : [{ code: `disk_${health}`, words: diskWords[health] }, ...this.start];
  }

  #found(code: string, text: string): void {
    this.start.push({ code, words: text });
    this.#log.warn(text);
  }
}

export const diskWords = {
  ok: 'There is room on the disk again: everything goes on.',
  full: 'The disk is full: no new message is taken. What is under way is kept and goes on when there is room; make some.',
  failed:
    'The disk failed: nothing can be stored any more, so the bridge stops. Check the disk, then start it again.',
};
