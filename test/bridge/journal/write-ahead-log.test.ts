import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

/** Bytes: where a log begins anew. */
const roomy = 256 * (4096 + 24) + 32;

function openLog() {
  const dir = tempDir();
  const { journal } = openJournal({ dir });
  onTestFinished(() => journal.close());
  return {
    /** @returns the bytes that the log has when a message of so many characters is durable, and the disk does nothing */
    async take(characters: number): Promise<number> {
      const [row] = journal.append('s', [queued('x'.repeat(characters))]);
      await journal.durable(row?.seq ?? 0);
      await journal.between(() => {});
      return statSync(join(dir, 'journal.db-wal')).size;
    },
  };
}

test('a long log is overwritten where it lies: it neither grows nor gives its room back', async () => {
  const log = openLog();
  const sizes: number[] = [];
  for (let n = 0; n < 100; n += 1) sizes.push(await log.take(50_000));
  const grown = sizes.findIndex((size) => size > roomy);
  expect(grown).toBeGreaterThan(10);
  expect(Math.min(...sizes.slice(grown))).toBeGreaterThan(roomy);
  expect(Math.max(...sizes)).toBeLessThan(1.5 * roomy);
});

test('a log that one message made very long is short again behind it', async () => {
  const log = openLog();
  expect(await log.take(3 * roomy)).toBeLessThanOrEqual(roomy);
});
