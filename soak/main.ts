// `npm run soak`: see docs/reference/crash-matrix.md.
import { parseArgs } from 'node:util';
import { grown } from './sample.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    texts: { type: 'string', default: '1000000' },
    reconnects: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const { samples, texts, reconnects, incomplete, seconds } = await soak(
  {
    sessions: Number(values.sessions),
    texts: Number(values.texts),
    reconnects: Number(values.reconnects),
    seed: Number(values.seed),
  },
  (words) => void process.stderr.write(`${words}\n`),
);
console.table(
  Object.entries(samples).map(([when, { rss, heap, ...counts }]) => ({
    when,
    rss: megabytes(rss),
    heap: megabytes(heap),
    ...counts,
  })),
);
console.log(`${texts} texts, ${reconnects} reconnects, ${Math.round(seconds)} s.`);
const faults = grown(samples.warm, samples.end);
if (incomplete > 0) faults.push(`${incomplete} answers were not read to their end`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
