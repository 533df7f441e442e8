import { readdirSync } from 'node:fs';
import { test } from 'vitest';
import { checkRecovery, damagedCopy, flip, places, sampleJournal, sizeOf } from '../bridge/journal/damage.ts';

/** The key is no part of what a repair mends. */
const journalFiles = (dir: string) => readdirSync(dir).filter((name) => name.startsWith('journal.'));

test.each(['closed', 'killed'] as const)(
  '200 flipped bytes in a %s journal: none is passed over',
  async (state) => {
    const sample = await sampleJournal();
    const dir = sample[state];
    for (const name of journalFiles(dir)) {
      for (const offset of places(77, sizeOf(dir, name), 200)) {
        await checkRecovery(damagedCopy(dir, name, flip(offset)), sample.rows, `byte ${offset} of ${name}`);
      }
    }
  },
);

test('200 cuts of a killed journal: none is passed over', async () => {
  const { killed, rows } = await sampleJournal();
  for (const name of journalFiles(killed)) {
    for (const size of places(78, sizeOf(killed, name), 200)) {
      const copy = damagedCopy(killed, name, (bytes) => bytes.subarray(0, size));
      await checkRecovery(copy, rows, `${name} cut to ${size}`);
    }
  }
});
