import fs, { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

/** Bytes: where a log begins anew. */
const roomy = 256 * (4096 + 24) + 32;

function openLog() {
  const dir = tempDir();
  const { journal } = openJournal({ dir });
  // One of a disk that failed has said so.
  onTestFinished(() => journal.close().catch(() => {}));
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

/** The next sync beside the event loop, which is that of a folder, lasts until it is ended. */
function heldFolder(): (error: NodeJS.ErrnoException | null) => void {
  const asked = Promise.withResolvers<fs.NoParamCallback>();
  const held = vi.spyOn(fs, 'fsync').mockImplementationOnce((_fd, callback) => asked.resolve(callback));
  onTestFinished(() => held.mockRestore());
  return (error) => void asked.promise.then((end) => end(error));
}

test('nothing is durable before the name of the log is', async () => {
  const end = heldFolder();
  const [first, other] = [openLog(), openLog()];
  let isDurable = false;
  const taken = first.take(10).then(() => {
    isDurable = true;
  });
  await other.take(10);
  await other.take(10);
  expect(isDurable).toBe(false);
  end(null);
  await taken;
});

test('a name that cannot be brought to the disk is a disk that failed', async () => {
  const end = heldFolder();
  const { take } = openLog();
  end(new Error('EIO'));
  await expect(take(10)).rejects.toThrow('cannot be written');
});
