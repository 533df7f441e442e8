// The rows are whole, and the way to some of them is not: a search by seq ends up elsewhere, a scan passes by.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { checkRecovery, damagedCopy, sampleJournal } from './damage.ts';

/** Where each two-byte key begins in the root of the table `event`, with the keys. */
function keysOf(bytes: Buffer, root: number): { key: number; at: number }[] {
  const pageBytes = bytes.readUInt16BE(16);
  const page = (root - 1) * pageBytes;
  expect(bytes[page]).toBe(5);
  const cells = Array.from({ length: bytes.readUInt16BE(page + 3) }, (_, n) => {
    const cell = page + bytes.readUInt16BE(page + 12 + 2 * n) + 4;
    return { key: (((bytes[cell] ?? 0) & 0x7f) << 7) | (bytes[cell + 1] ?? 0), at: cell };
  });
  return cells.filter(({ at }) => (bytes[at] ?? 0) >= 0x80);
}

test('rows that only a scan finds are kept', async () => {
  const { closed, rows } = await sampleJournal();
  const db = new DatabaseSync(join(closed, 'journal.db'), { readOnly: true });
  const root = Number(db.prepare("select rootpage from sqlite_master where name = 'event'").get()?.rootpage);
  db.close();
  // A page of the search begins at row 257, and is sent to the last leaf of the tree.
  let first = 0;
  const damaged = damagedCopy(closed, 'journal.db', (bytes) => {
    const behind = keysOf(bytes, root).filter(({ key }) => key > 256);
    first = behind[0]?.key ?? 0;
    for (const { at } of behind) bytes[at] = 0x80;
    return bytes;
  });
  expect(first).toBeGreaterThan(256);
  expect(first).toBeLessThan(rows.length);
  expect(await checkRecovery(damaged, rows, `the keys from row ${first} on`)).toBe(0);
});
