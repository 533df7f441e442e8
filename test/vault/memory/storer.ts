// A program that stores memories as fast as it can, and prints each one that it was told is stored. To be run several
// times at once, and killed.
import { writeSync } from 'node:fs';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';

const [root = '', lockFile = '', name = '', count = '0'] = process.argv.slice(2);
const now = new Date(2026, 10, 23, 14, 5);
const topics = ['Kitchen', 'kitchen', undefined, 'Anna'];

writeSync(1, `${JSON.stringify({ ready: true })}\n`);
for (let n = 0; n < Number(count); n += 1) {
  // Some of one line, some of several pages of memory.
  const text =
    n % 5 === 0 ? `${name} ${n} begins\n${'long '.repeat((n * 37) % 1_500)}\nends` : `${name} ${n}`;
  const topic = topics[n % topics.length];
  const stored = storeMemory(root, { text, ...(topic && { topic }) }, { folder: 'Memories', now, lockFile });
  writeSync(1, `${JSON.stringify({ text, ...stored })}\n`);
}
