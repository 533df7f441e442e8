import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../src/bridge/journal/open-journal.ts';
import { checkRecovery, damagedCopy, flip, sampleJournal, sizeOf } from '../bridge/journal/damage.ts';
import { killAndCheck } from '../bridge/journal/kill.ts';
import { tempDir } from '../bridge/journal/temp-dir.ts';

const opener = join(import.meta.dirname, '../bridge/journal/dying-opener.ts');

/** Numbers in [0, below), the same in every run. */
function* numbers(seed: number, below: number): Generator<number> {
  for (let n = seed; ; n = (n * 48271) % 2147483647) yield n % below;
}

const take = (seed: number, below: number, count: number) => [...numbers(seed, below).take(count)];

/** The key is no part of what a repair mends. */
const journalFiles = (dir: string) => readdirSync(dir).filter((name) => name.startsWith('journal.'));

test('no acknowledged row is lost at any of 50 kills of one journal', async () => {
  await killAndCheck(tempDir(), take(20260101, 400, 50));
});

test.each(['closed', 'killed'] as const)(
  '200 flipped bytes in a %s journal: none is passed over',
  async (state) => {
    const sample = await sampleJournal();
    const dir = sample[state];
    for (const name of journalFiles(dir)) {
      for (const offset of take(77, sizeOf(dir, name), 200)) {
        await checkRecovery(damagedCopy(dir, name, flip(offset)), sample.rows, `byte ${offset} of ${name}`);
      }
    }
  },
);

test('200 cuts of a killed journal: none is passed over', async () => {
  const { killed, rows } = await sampleJournal();
  for (const name of journalFiles(killed)) {
    for (const size of take(78, sizeOf(killed, name), 200)) {
      const copy = damagedCopy(killed, name, (bytes) => bytes.subarray(0, size));
      await checkRecovery(copy, rows, `${name} cut to ${size}`);
    }
  }
});

test('dying at any step of the repair loses neither an intact row nor the evidence', async () => {
  const { killed, rows } = await sampleJournal();
  // The log is whole up to here: rows behind it are gone, rows in front of it must stay, whatever dies when.
  const at = Math.floor(sizeOf(killed, 'journal.db-wal') * 0.7);
  const reference = openJournal({ dir: damagedCopy(killed, 'journal.db-wal', flip(at)) });
  const kept = reference.recovered?.kept ?? 0;
  await reference.journal.close();
  expect(kept).toBeGreaterThan(150);
  let step = 1;
  for (; ; step += 1) {
    const dir = damagedCopy(killed, 'journal.db-wal', flip(at));
    const child = spawnSync(process.execPath, [opener, dir, String(step)], { encoding: 'utf8' });
    const { journal, recovered } = openJournal({ dir });
    const found = [...journal.read(0)];
    await journal.close();
    expect(found, `died at step ${step}`).toEqual(rows.slice(0, kept));
    const evidence = readdirSync(dir).some((name) => /\.corrupt-.*-wal$/.test(name));
    expect(evidence, `died at step ${step}`).toBe(true);
    if (child.signal === null) break;
    // It never said what was lost, so the next one has to.
    expect(recovered, `died at step ${step}`).toMatchObject({ kept });
  }
  expect(step).toBeGreaterThan(8);
});
