import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { damagedCopy, flip, sampleJournal, sizeOf } from '../../bridge/journal/damage.ts';
import { oneFile } from '../../support/one-file.ts';

const opener = await oneFile(join(import.meta.dirname, '../../bridge/journal/dying-opener.ts'));

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
