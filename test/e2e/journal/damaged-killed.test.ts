import { test } from 'vitest';
import { checkFlips, sampleJournal } from '../../bridge/journal/damage.ts';

test('200 flipped bytes in each file of a killed journal: none is passed over', async () => {
  const { killed, rows } = await sampleJournal();
  await checkFlips(killed, rows, 200);
});
