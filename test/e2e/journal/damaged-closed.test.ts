import { test } from 'vitest';
import { checkFlips, sampleJournal } from '../../bridge/journal/damage.ts';

test('200 flipped bytes in each file of a closed journal: none is passed over', async () => {
  const { closed, rows } = await sampleJournal();
  await checkFlips(closed, rows, 200);
});
