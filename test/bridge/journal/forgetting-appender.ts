// A program to be killed: appends rows without end, forgets one session after the other, and archives all the time.
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { ArchiveCleaner } from '../../../src/bridge/journal/archive-cleaner.ts';
import { Compactor } from '../../../src/bridge/journal/compactor.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { forget } from './forgetting.ts';
import { queued } from './sample-events.ts';

const [dir = ''] = process.argv.slice(2);
const opened = openJournal({ dir });
const { journal, store, archive } = opened;
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
say({ opened: journal.last, recovered: opened.recovered, doubt: opened.doubt });

const shared = {
  dir: archive,
  // Nothing is waited for.
  clock: { ...systemClock, after: (_ms: number, work: () => void) => systemClock.after(0, work) },
  log: {
    ...silentLog,
    warn: (_: string, about?: Record<string, unknown>) => say({ trouble: String(about?.error) }),
  },
  room: () => Number.POSITIVE_INFINITY,
  isQuiet: () => true,
};
const compactor = new Compactor({
  ...opened,
  ...shared,
  snapshot: (origin) => [
    { session: '', events: [{ type: 'bridge.compacted', origin, codes: [], claudes: {}, panic: null }] },
  ],
  most: { rows: 60, bytes: Number.POSITIVE_INFINITY },
});
const cleaner = new ArchiveCleaner({
  ...shared,
  journal,
  store,
  begins: () => compactor.close(),
  ended: () => compactor.start(),
});
compactor.start();
void cleaner.wake();

let name = `goes-${journal.last}`;
for (let n = 1; ; n += 1) {
  journal.append(name, [queued(`secret of ${name}, told ${n}`)]);
  journal.append('stays', [queued(`message behind ${journal.last}`)]);
  if (n % 40 === 0) {
    await forget(opened, name);
    say({ forgot: name });
    void cleaner.wake();
    name = `goes-${journal.last}`;
  }
  if (n % 3 === 0) {
    await journal.durable(journal.last);
    say({ acked: journal.last });
  }
  await nextTurn();
}
