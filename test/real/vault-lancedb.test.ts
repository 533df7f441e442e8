// Vectors in the real LanceDB: as every store, and whatever happens to its files and its processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { loadEngine } from '../../src/vault/vectors/lance-engine.ts';
import { LanceVectors } from '../../src/vault/vectors/lance-vectors.ts';
import { type Nearest, StoreDamage } from '../../src/vault/vectors/vector-store.ts';
import { seeded } from '../support/seeded.ts';
import { tempFolder } from '../vault/temp-vault.ts';
import { hashOf, rowsOf, storeContract, vectorOf } from '../vault/vectors/store-contract.ts';
import { lancedb } from './support/extras.ts';

const library = lancedb();
const program = join(import.meta.dirname, 'support/vector-keeper.ts');

// The versions are ours: there is nothing to learn of them with the newest peers.
describe.skipIf(process.env.REAL_PEERS)('vectors in LanceDB', () => {
  storeContract(() => {
    const dir = join(tempFolder(), 'a folder with % and #, é');
    return { store: () => LanceVectors.open(library, dir) };
  });

  test('a damaged row is found, is no vector, and is well again when it is put again', async () => {
    const dir = tempFolder();
    const store = await LanceVectors.open(library, dir);
    await store.put(rowsOf(20));
    const table = await tableOf(dir);
    const merge = table.mergeInsert('hash').whenMatchedUpdateAll();
    await merge.execute([{ hash: hashOf(4), vector: vectorOf(5), sum: 4 }]);
    const words = await store.nearest(vectorOf(1), 3).catch((error: unknown) => error);
    expect(words).toEqual(new StoreDamage('1 vectors are not what was kept'));
    expect((await store.known()).has(hashOf(4))).toBe(false);
    await store.put([{ hash: hashOf(4), vector: vectorOf(4) }]);
    expect((await store.nearest(vectorOf(4), 1)).near[0]?.hash).toBe(hashOf(4));
    await store.close();
  });

  test('a row whose hash is damaged goes with those that are not kept', async () => {
    const dir = tempFolder();
    const store = await LanceVectors.open(library, dir);
    await store.put(rowsOf(20));
    const table = await tableOf(dir);
    await table
      .mergeInsert('hash')
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute([{ hash: `it's ' OR 1=1`, vector: vectorOf(5), sum: 4_294_967_295 }]);
    await expect(store.nearest(vectorOf(1), 3)).rejects.toThrow(StoreDamage);
    await store.keep(await store.known());
    expect((await store.nearest(vectorOf(1), 3)).of).toBe(20);
    await store.close();
  });

  test('many small puts do not become as many files', async () => {
    const dir = tempFolder();
    const store = await LanceVectors.open(library, dir);
    for (const row of rowsOf(85)) await store.put([row]);
    const { fragmentStats } = await (await tableOf(dir)).stats();
    expect(fragmentStats.numFragments).toBeLessThan(70);
    expect((await store.nearest(vectorOf(84), 1)).of).toBe(85);
    await store.close();
  });

  test('whatever is damaged in its folder, an answer is the right one, or says of how few it is, or there is none', async () => {
    const random = seeded(23);
    const dir = join(tempFolder(), 'vectors');
    const store = await LanceVectors.open(library, dir);
    const rows = rowsOf(200);
    for (let at = 0; at < rows.length; at += 50) await store.put(rows.slice(at, at + 50));
    const right = await store.nearest(vectorOf(7), 5);
    await store.close();
    const files = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name).slice(dir.length))
      .toSorted();
    const wrong: unknown[] = [];
    const tally = { right: 0, fewer: 0, damage: 0, crash: 0 };
    for (let round = 0; round < 48; round += 1) {
      const copy = join(tempFolder(), 'vectors');
      cpSync(dir, copy, { recursive: true });
      const file = files[Math.floor(random() * files.length)] ?? '';
      damage(join(copy, file), random);
      const said = await answerOf(copy);
      if (said === undefined) tally.crash += 1;
      else if (typeof said === 'string' && /^StoreDamage: [^/\\]*$/.test(said)) tally.damage += 1;
      else if (JSON.stringify(said) === JSON.stringify(right)) tally.right += 1;
      else if ((said as Nearest).of < right.of) tally.fewer += 1;
      else wrong.push([file, said]);
    }
    expect(wrong).toEqual([]);
    expect(tally.damage).toBeGreaterThan(5);
    // A process for each round: a limit against hanging, not a measure.
  }, 400_000);

  test('two processes that put at the same time lose nothing of each other', async () => {
    const dir = join(tempFolder(), 'vectors');
    const acknowledged = await Promise.all([put(dir, 0, 640), put(dir, 320, 640)]);
    expect(acknowledged.map((each) => each.length)).toEqual([640, 640]);
    const store = await LanceVectors.open(library, dir);
    expect(await store.known()).toEqual(new Set(acknowledged.flat()));
    const { near, of } = await store.nearest(vectorOf(400), 10);
    expect(of).toBe(960);
    expect(new Set(near.map(({ hash }) => hash)).size).toBe(10);
    await store.close();
  });

  test('what was acknowledged is there after the process that put it was killed', async () => {
    const dir = join(tempFolder(), 'vectors');
    const acknowledged: string[] = [];
    for (const stopAfter of [1, 7, 18, 33]) {
      acknowledged.push(...(await put(dir, acknowledged.length * 2, 16 * 100, stopAfter)));
      const store = await LanceVectors.open(library, dir);
      const known = await store.known();
      expect(acknowledged.filter((hash) => !known.has(hash))).toEqual([]);
      expect((await store.nearest(vectorOf(0), 1)).near).toMatchObject([{ hash: hashOf(0) }]);
      await store.close();
    }
  });
});

/** The table itself, as another program may change it. */
async function tableOf(dir: string) {
  const db = await loadEngine(library).lance.connect(dir, { readConsistencyInterval: 0 });
  return db.openTable('vectors');
}

/** What another process says of the nearest; undefined when it crashed, or did not end. */
async function answerOf(dir: string): Promise<unknown> {
  const child = spawn(process.execPath, [program, library, dir, 'nearest'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  let said: unknown;
  for await (const line of createInterface({ input: child.stdout })) said = JSON.parse(line);
  return said;
}

function damage(file: string, random: () => number): void {
  const bytes = readFileSync(file);
  const kind = random();
  if (kind < 0.2) rmSync(file);
  else if (kind < 0.4) truncateSync(file, Math.floor(random() * bytes.length));
  else {
    for (let count = Math.ceil(random() * 32); count > 0; count -= 1)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    writeFileSync(file, bytes);
  }
}

/** Puts, and gives what was acknowledged. @param stopAfter acknowledgements, then it is killed */
async function put(
  dir: string,
  from: number,
  count: number,
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const child = spawn(process.execPath, [program, library, dir, 'put', String(from), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: string[] = [];
  let puts = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(...(JSON.parse(line) as string[]));
      puts += 1;
      if (puts === stopAfter) child.kill('SIGKILL');
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return acknowledged;
}
