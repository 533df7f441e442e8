// A program that opens vectors in LanceDB, does one thing with them and prints what came of it. To be killed while it
// puts, and to crash on damaged files.
import { writeSync } from 'node:fs';
import { LanceVectors } from '../../../src/vault/vectors/lance-vectors.ts';
import { hashOf, vectorOf } from '../../vault/vectors/store-contract.ts';

const [library = '', dir = '', order = '', from = '0', count = '0'] = process.argv.slice(2);
const print = (said: unknown): void => void writeSync(1, `${JSON.stringify(said)}\n`);
/** Vectors that are put at a time. */
const atOnce = 16;

const store = await LanceVectors.open(library, dir);
if (order === 'nearest') {
  try {
    print(await store.nearest(vectorOf(7), 5));
  } catch (error) {
    print(error instanceof Error ? `${error.name}: ${error.message}` : error);
  }
}
if (order === 'put')
  for (let at = 0; at < Number(count); at += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, each) => Number(from) + at + each);
    await store.put(rows.map((seed) => ({ hash: hashOf(seed), vector: vectorOf(seed) })));
    print(rows.map(hashOf));
  }
await store.close();
