import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { SqliteVectors } from '../../../src/vault/vectors/sqlite-vectors.ts';
import { StoreDamage } from '../../../src/vault/vectors/vector-store.ts';
import { seeded } from '../../support/seeded.ts';
import { tempFolder } from '../temp-vault.ts';
import { hashOf, rowsOf, storeContract, vectorOf } from './store-contract.ts';

describe('vectors in SQLite', () => {
  storeContract(() => {
    const file = join(tempFolder(), 'vectors.db');
    return { store: async () => new SqliteVectors(file) };
  });
});

test('a damaged row is found, is no vector, and is well again when it is put again', async () => {
  const file = join(tempFolder(), 'vectors.db');
  const store = new SqliteVectors(file);
  await store.put(rowsOf(20));
  new DatabaseSync(file).exec('UPDATE vectors SET bytes = zeroblob(48) WHERE id = 5');
  await expect(store.nearest(vectorOf(1), 3)).rejects.toThrow(StoreDamage);
  expect((await store.known()).has(hashOf(4))).toBe(false);
  await store.put([{ hash: hashOf(4), vector: vectorOf(4) }]);
  expect((await store.nearest(vectorOf(4), 1)).near[0]?.hash).toBe(hashOf(4));
  await store.close();
});

test('whatever is damaged in its file, an answer is the right one, or says of how few it is, or there is none', async () => {
  const random = seeded(11);
  const file = join(tempFolder(), 'vectors.db');
  const store = new SqliteVectors(file);
  await store.put(rowsOf(200));
  const right = await store.nearest(vectorOf(7), 5);
  await store.close();
  const whole = readFileSync(file);
  let damaged = 0;
  for (let round = 0; round < 90; round += 1) {
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    writeFileSync(file, round % 3 === 0 ? cut(whole, random) : changed(whole, random));
    let again: SqliteVectors | undefined;
    try {
      again = new SqliteVectors(file);
      const answer = await again.nearest(vectorOf(7), 5);
      if (answer.of >= right.of) expect(answer).toEqual(right);
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      damaged += 1;
    }
    await again?.close();
  }
  expect(damaged).toBeGreaterThan(45);
});

const cut = (whole: Buffer, random: () => number): Buffer =>
  whole.subarray(0, Math.floor(random() * whole.length));

function changed(whole: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(whole);
  for (let at = 0; at < 4; at += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return bytes;
}
