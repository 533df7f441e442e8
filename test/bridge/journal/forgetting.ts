// Makes tombstones as the bridge does, and cleans the archive.
import { silentLog } from '../../../src/base/log.ts';
import { ArchiveCleaner } from '../../../src/bridge/journal/archive-cleaner.ts';
import type { OpenedJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

type Opened = Pick<OpenedJournal, 'journal' | 'store' | 'archive'>;

/** All rows of the session up to now. */
export async function forget({ journal, store }: Omit<Opened, 'archive'>, session: string): Promise<void> {
  await journal.between(() => {
    const past = { session: JSON.stringify(session), removed: journal.last, upTo: journal.last };
    const told = { removed: journal.last, by: 'test', rows: 1, codes: [], claudes: [] };
    store.forget(past);
    journal.append('', [{ type: 'session.forgotten', ...told }]);
  });
}

export async function clean({ journal, store, archive: dir }: Opened): Promise<void> {
  const cleaner = new ArchiveCleaner({
    journal,
    store,
    dir,
    clock: new ManualClock(),
    log: silentLog,
    isQuiet: () => true,
    begins: async () => {},
    ended: () => {},
  });
  void cleaner.wake();
  await until('the archive is clean', () => store.past.length === 0);
  await cleaner.close();
}
