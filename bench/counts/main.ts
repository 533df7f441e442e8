// `npm run bench:counts`: counts, beside the times of `npm run bench`. See docs/reference/benchmarks.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fromBench } from '../harness/place.ts';
import { type Counts, changes, isAllowed, renderChanges } from './counts.ts';
import { takeCounts } from './take-counts.ts';

const file = fromBench('counts/recorded.json');
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const found = await takeCounts();
const all = changes(JSON.parse(readFileSync(file, 'utf8')) as Counts, found);
console.log(renderChanges(all));
if (values.write) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
else if (!all.every(isAllowed)) {
  console.log(
    '\nSomething costs more than was written down. If it has to, say so in a commit: npm run bench:counts -- --write',
  );
  process.exitCode = 1;
}
