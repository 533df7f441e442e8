import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SqliteVectors } from '../../../src/vault/vectors/sqlite-vectors.ts';
import { ThreadedVectors } from '../../../src/vault/vectors/threaded-vectors.ts';
import { StoreDamage } from '../../../src/vault/vectors/vector-store.ts';
import { tempFolder } from '../temp-vault.ts';
import { hashOf, rowsOf, vectorOf } from './store-contract.ts';

const program = join(import.meta.dirname, '../../../src/vault/vectors/vector-worker.ts');

function threaded(path: string): ThreadedVectors {
  const vectors = new ThreadedVectors({ clock: systemClock, program, path });
  onTestFinished(() => vectors.close());
  return vectors;
}

test('the thread answers as the file does, many at a time, and sees what is put meanwhile', async () => {
  const path = join(tempFolder(), 'vectors.db');
  const store = new SqliteVectors(path);
  await store.put(rowsOf(100));
  const vectors = threaded(path);
  const seeds = [1, 50, 99];
  const answers = await Promise.all(seeds.map((seed) => vectors.nearest(vectorOf(seed), 4)));
  expect(answers).toEqual(await Promise.all(seeds.map((seed) => store.nearest(vectorOf(seed), 4))));
  await store.put([{ hash: hashOf(200), vector: vectorOf(200) }]);
  expect((await vectors.nearest(vectorOf(200), 1))[0]?.hash).toBe(hashOf(200));
});

test('a file that is no database is damage, and one that is mended is asked again', async () => {
  const path = join(tempFolder(), 'vectors.db');
  writeFileSync(path, 'no database, and long enough to be taken for one'.repeat(100));
  const vectors = threaded(path);
  await expect(vectors.nearest(vectorOf(1), 1)).rejects.toThrow(StoreDamage);
  writeFileSync(path, '');
  expect(await vectors.nearest(vectorOf(1), 1)).toEqual([]);
});
