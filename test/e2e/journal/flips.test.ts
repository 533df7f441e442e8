import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JournalNewerError } from '../../../src/bridge/journal/journal-error.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { recoveredWords } from '../../../src/bridge/journal/start/recovered.ts';
import { checkRecovery, damagedCopy, flip, sampleJournal, sizeOf } from '../../bridge/journal/damage.ts';
import { tempDir } from '../../bridge/journal/temp-dir.ts';

/** Offsets spread over the whole file, the same in every run. */
const spread = (size: number, count: number) =>
  Array.from({ length: count }, (_, n) => Math.floor(((n * 0.618034) % 1) * size));

test('a whole journal opens without a report, closed or killed', async () => {
  const { killed, closed, rows } = await sampleJournal();
  expect(existsSync(join(killed, 'journal.db-wal'))).toBe(true);
  expect(existsSync(join(closed, 'journal.db-wal'))).toBe(false);
  expect(await checkRecovery(killed, rows, 'killed')).toBe(0);
  expect(await checkRecovery(closed, rows, 'closed')).toBe(0);
  expect([...readdirSync(killed), ...readdirSync(closed)].filter((name) => name.includes('corrupt'))).toEqual(
    [],
  );
});

test('a flipped byte anywhere in the database costs no row in front of it and is never passed over', async () => {
  const { closed, rows } = await sampleJournal();
  const header = [0, 16, 17, 18, 19, 20, 24, 28, 31, 32, 36, 40, 44, 47, 56, 60, 63, 92, 96, 100, 103, 108];
  let lost = 0;
  for (const offset of [...header, ...spread(sizeOf(closed, 'journal.db'), 50)]) {
    const copy = damagedCopy(closed, 'journal.db', flip(offset));
    lost += await checkRecovery(copy, rows, `byte ${offset} of the database`);
  }
  expect(lost).toBeGreaterThan(0);
});

test('a flipped byte anywhere in the log is noticed although SQLite calls the rest intact', async () => {
  const { killed, rows } = await sampleJournal();
  let lost = 0;
  for (const offset of spread(sizeOf(killed, 'journal.db-wal'), 50)) {
    const copy = damagedCopy(killed, 'journal.db-wal', flip(offset));
    lost += await checkRecovery(copy, rows, `byte ${offset} of the log`);
  }
  expect(lost).toBeGreaterThan(0);
});

test('a flipped byte in the head file costs nothing and is reported', async () => {
  const { closed, rows } = await sampleJournal();
  for (const offset of [0, 5, 20, 40, 63]) {
    const copy = damagedCopy(closed, 'journal.head', flip(offset));
    expect(await checkRecovery(copy, rows, `byte ${offset} of the head`)).toBe(0);
    expect(readdirSync(copy).some((name) => name.includes('.corrupt-'))).toBe(true);
  }
});

test('cut-off files keep the rows in front of the cut', async () => {
  const { closed, killed, rows } = await sampleJournal();
  for (const share of [0, 0.001, 0.3, 0.7, 0.99]) {
    for (const [dir, name] of [
      [closed, 'journal.db'],
      [killed, 'journal.db'],
      [killed, 'journal.db-wal'],
    ] as const) {
      const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));
      await checkRecovery(damagedCopy(dir, name, cut), rows, `${name} cut to ${share}`);
    }
  }
});

test('a missing database or log is counted as lost, not taken for a new start', async () => {
  const { closed, killed, rows } = await sampleJournal();
  rmSync(join(closed, 'journal.db'));
  expect(await checkRecovery(closed, rows, 'no database')).toBe(300);
  rmSync(join(killed, 'journal.db-wal'));
  expect(await checkRecovery(killed, rows, 'no log')).toBe(150);
});

test('an emptied database with a log beside it keeps the log as evidence', async () => {
  const { killed, rows } = await sampleJournal();
  const size = sizeOf(killed, 'journal.db-wal');
  truncateSync(join(killed, 'journal.db'));
  expect(await checkRecovery(killed, rows, 'empty database')).toBe(300);
  const kept = readdirSync(killed).find((name) => /corrupt-.*-wal$/.test(name)) ?? '';
  expect(sizeOf(killed, kept)).toBe(size);
});

test('a row edited by hand is found, with everything after it', async () => {
  const { closed, rows } = await sampleJournal();
  const db = new DatabaseSync(join(closed, 'journal.db'));
  db.exec(`update event set body = replace(body, 'message 10', 'message 11') where seq = 31`);
  db.close();
  const { journal, recovered } = openJournal({ dir: closed });
  await journal.close();
  expect(recovered).toMatchObject({ kept: 30, lost: 270, why: 'row 31 does not match its hash' });
  if (recovered) expect(recoveredWords(recovered)).toContain('30 rows were kept, 270 rows are gone');
  expect(await checkRecovery(closed, rows.slice(0, 30), 'edited row')).toBe(0);
});

test('an older copy of the database put in place of the newer one is noticed', async () => {
  const { closed, rows } = await sampleJournal();
  const db = new DatabaseSync(join(closed, 'journal.db'));
  db.exec('delete from event where seq > 200');
  db.close();
  expect(await checkRecovery(closed, rows, 'rolled back')).toBe(100);
});

test('garbage instead of a database is moved away and the bridge starts', async () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'journal.db'), 'this was never a database '.repeat(500));
  const { journal, recovered } = openJournal({ dir });
  await journal.close();
  expect(recovered).toMatchObject({ kept: 0, lost: 'unknown' });
});

test('a journal of a later release is refused and stays as it was', async () => {
  const { closed } = await sampleJournal();
  const db = new DatabaseSync(join(closed, 'journal.db'));
  db.exec('pragma user_version = 9');
  db.close();
  rmSync(join(closed, 'journal.head'));
  const before = readdirSync(closed);
  expect(() => openJournal({ dir: closed })).toThrow(JournalNewerError);
  expect(readdirSync(closed)).toEqual(before);
});
