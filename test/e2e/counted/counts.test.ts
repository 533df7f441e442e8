// The built program does no more than what was written down (bench/counts/recorded.json). Counts do not depend on how busy
// the machine is; whoever has to raise one runs `npm run bench:counts -- --write` and says why.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Counts, changes, isAllowed } from '../../../bench/counts/counts.ts';
import { takeCounts } from '../../../bench/counts/take-counts.ts';

test('no count has risen', async () => {
  const recorded = JSON.parse(readFileSync('bench/counts/recorded.json', 'utf8')) as Counts;
  expect(changes(recorded, await takeCounts()).filter((change) => !isAllowed(change))).toEqual([]);
});
