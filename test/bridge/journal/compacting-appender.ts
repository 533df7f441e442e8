// A program to be killed: appends rows without end, says which are durable, and compacts its journal all the time.
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { Compactor } from '../../../src/bridge/journal/compactor.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { queued } from './sample-events.ts';

const [dir = ''] = process.argv.slice(2);
const opened = openJournal({ dir });
const { journal } = opened;
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
say({ opened: journal.last, recovered: opened.recovered, doubt: opened.doubt });

const compact = () => {
  const compactor = new Compactor({
    ...opened,
    dir: opened.archive,
    // Nothing is waited for: one compaction follows the other.
    clock: { ...systemClock, after: (_ms, work) => systemClock.after(0, work) },
    log: { ...silentLog, warn: (_, about) => say({ trouble: String(about?.error) }) },
    isQuiet: () => true,
    room: () => Number.POSITIVE_INFINITY,
    snapshot: (origin) => [
      { session: '', events: [{ type: 'bridge.compacted', origin, codes: [], claudes: {}, panic: null }] },
      { session: 's', events: [queued('what was before')] },
    ],
    most: { rows: 40, bytes: Number.POSITIVE_INFINITY },
  });
  compactor.start();
};
compact();

for (let n = 0; ; n += 1) {
  journal.append('s', [queued(`message behind ${journal.last}`)]);
  if (n % 3 === 0) {
    await journal.durable(journal.last);
    say({ acked: journal.last });
  }
  await nextTurn();
}
