// A program to be killed: appends rows and prints the seq of each batch once the journal calls it durable.
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { delta, queued } from './sample-events.ts';

const [dir = '', seed = '1'] = process.argv.slice(2);
const { journal, recovered } = openJournal({ dir });
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
say({ opened: journal.last, recovered });

for (let n = Number(seed); ; n = (n * 48271) % 2147483647) {
  const rows = Array.from({ length: 1 + (n % 7) }, (_, i) => delta(`text ${n} ${i}`));
  journal.append(`session ${n % 3}`, n % 2 === 0 ? [...rows, queued(`message ${n}`)] : rows);
  await journal.durable(journal.last);
  say({ acked: journal.last });
}
