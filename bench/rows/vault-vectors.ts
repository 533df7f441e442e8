// V6: what a look for near vectors costs over a bare scan of the same ones. V7: how it grows with them.
import { join } from 'node:path';
import type { SqliteVectors } from '../../src/vault/vectors/sqlite-vectors.ts';
import { compare } from '../harness/compare.ts';
import type { Place } from '../harness/place.ts';
import { percentile, perQuery } from '../harness/queries.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { scan } from '../reference/scan.ts';
import { dimensions, someVectors, storeOf } from '../subject/fill-vectors.ts';

const times = 10;
const fewVectors = 5_000;
const manyVectors = times * fewVectors;
const questions = 15;
/** As many as a search asks for. */
const limit = 80;

const scanGoal: Goal = {
  id: 'V6',
  what: `the ${limit} nearest of ${manyVectors} vectors of ${dimensions} numbers are looked for, p50: CPU time`,
  against: 'reference/scan.ts: a bare scan of the same vectors in memory',
  atMost: 1.5,
  most: 150,
  whyNotYet:
    'The vectors are read from the disk for each question, or too many are looked at by their numbers.',
};
const growthGoal: Goal = {
  id: 'V7',
  what: `the same of ${manyVectors} vectors: CPU time`,
  against: `of ${fewVectors}`,
  atMost: times * 1.3,
  whyNotYet:
    'The best so far are kept in order at a cost that grows, or the vectors do not fit into their memory.',
};
export const vectorGoals = [scanGoal, growthGoal];

export async function vaultVectors({ home }: Place): Promise<Row[]> {
  const folder = await home.directory('vectors');
  const all = someVectors(manyVectors, 1);
  const asked = Array.from({ length: questions }, (_, at) => someVectors(1, 1_000 + at));
  const many = await storeOf(join(folder, 'many.db'), all);
  const few = await storeOf(join(folder, 'few.db'), all.subarray(0, fewVectors * dimensions));
  const p50 = async (ask: (query: Float32Array) => unknown) => percentile(await perQuery(asked, ask), 0.5);
  const inStore = (store: SqliteVectors) => () => p50((query) => store.nearest(query, limit));
  const bare = () => p50((query) => scan(all, query, limit));
  const counts = { warmup: 1, counted: 5 };
  try {
    return [
      judge(scanGoal, await compare({ subject: inStore(many), reference: bare }, counts)),
      judge(growthGoal, await compare({ subject: inStore(many), reference: inStore(few) }, counts)),
    ];
  } finally {
    await Promise.all([many.close(), few.close()]);
  }
}
