import { test } from 'vitest';
import { checkCuts, sampleJournal } from '../../bridge/journal/damage.ts';

test('200 cuts of each file of a killed journal: none is passed over', async () => {
  const { killed, rows } = await sampleJournal();
  await checkCuts(killed, rows, 200);
});
