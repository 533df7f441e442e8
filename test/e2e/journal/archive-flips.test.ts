// Bytes that were flipped between two bridges, in the rows behind a snapshot and in the archive.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSegments } from '../../../src/bridge/journal/archive/segments.ts';
import { compactedOnce } from '../../bridge/journal/compacted.ts';
import { openUntilEnd } from '../../bridge/journal/open-until-end.ts';
import { memoryDir, tempDir } from '../../bridge/journal/temp-dir.ts';
import { seeded } from '../../support/seeded.ts';

test('each of 200 flipped bytes in the journal or its archive is found', async () => {
  const dir = tempDir();
  const all = await compactedOnce(dir);
  await all.journal.close();
  const random = seeded(25);
  const segment = listSegments(all.archive)[0]?.path ?? '';
  const missed: string[] = [];
  for (let n = 0; n < 200; n += 1) {
    const copy = memoryDir();
    cpSync(dir, copy, { recursive: true });
    const file = join(copy, n % 2 === 0 ? 'journal.db' : segment.slice(dir.length));
    const bytes = readFileSync(file);
    const at = n % 2 === 0 ? usedByte(bytes, random) : Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, bytes);
    const next = openUntilEnd(copy);
    const verdict = await next.chain.verify([]);
    if (!next.recovered && verdict.outcome !== 'failed') missed.push(`${file.slice(copy.length)} at ${at}`);
    await next.journal.close();
  }
  expect(missed).toEqual([]);
  expect(existsSync(segment)).toBe(true);
});

/** Of a row behind the snapshot: what lies in free pages is no part of the journal any more. */
function usedByte(bytes: Buffer, random: () => number): number {
  const rows = [
    ...bytes.toString('latin1').matchAll(/"s\d"\{"type":"turn.running","turn":"turn 12[12]\d"\}/g),
  ];
  const row = rows[Math.floor(random() * rows.length)];
  return (row?.index ?? 0) + Math.floor(random() * (row?.[0].length ?? 1));
}
