// V3: an index that is up to date already is brought up to date. V4: what a search costs over the query that it asks.
import { DatabaseSync } from 'node:sqlite';
import { Generations } from '../../src/vault/index/generations.ts';
import { matchOf } from '../../src/vault/index/terms.ts';
import { vaultPlaces } from '../../src/vault/vault-dir.ts';
import { compare } from '../harness/compare.ts';
import type { Place } from '../harness/place.ts';
import { percentile, perQuery } from '../harness/queries.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { type Taken, taken } from '../harness/taken.ts';
import { type BenchVault, benchVault, Indexer, openVault } from '../harness/vault.ts';
import { walk } from '../reference/walk.ts';
import { fillVault, questionsTo } from '../subject/fill-vault.ts';

const notes = 10_000;
const questions = questionsTo(100);
/** Usual of an agent. */
const limit = 8;
/** A run takes so little that the least of a few counts. */
const runs = 3;

const idleGoal: Goal = {
  id: 'V3',
  what: `a vault of ${notes} notes, of which none was changed, is indexed again: CPU time`,
  against: 'reference/walk.ts: a bare walk of its folder',
  atMost: 4,
  most: 400,
  whyNotYet: 'More is read of a note than its times, or the index is looked at note by note.',
};
const searchGoal: Goal = {
  id: 'V4',
  what: `a search of ${notes} notes, soon after another one, p95: CPU time`,
  against: 'the same query to the same FTS5 table',
  atMost: 1.5,
  most: 150,
  whyNotYet: 'More of an answer is made than is shown, or the folder is walked for each question.',
};
export const searchGoals = [idleGoal, searchGoal];

export async function vaultSearch({ home, env }: Place): Promise<Row[]> {
  const folder = await home.directory('notes');
  fillVault(folder, notes);
  const made = benchVault(folder, await home.directory('state'));
  await using indexer = await Indexer.start(env);
  await indexer.index(made);
  return [await indexedAgain(indexer, made), await searched(made)];
}

async function indexedAgain(indexer: Indexer, made: BenchVault): Promise<Row> {
  const contenders = {
    subject: () => least(() => indexer.index(made)),
    reference: () => least(() => taken(() => walk(made.settings.path))),
  };
  return judge(idleGoal, await compare(contenders, { warmup: 2, counted: 9 }));
}

async function least(work: () => Promise<Taken>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < runs; n += 1) ms.push((await work()).cpuMs);
  return Math.min(...ms);
}

async function searched(made: BenchVault): Promise<Row> {
  const vault = openVault(made);
  const database = bareDatabase(made);
  const bare = database.prepare(
    'SELECT rowid, bm25(words, 4.0, 1.0, 1.0) AS rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT 80',
  );
  const p95 = async (ask: (question: string) => unknown) => percentile(await perQuery(questions, ask), 0.95);
  const contenders = {
    subject: () => p95((query) => vault.search({ query, limit })),
    reference: () => p95((query) => bare.all(matchOf(query) ?? '')),
  };
  try {
    return judge(searchGoal, await compare(contenders, { warmup: 1, counted: 5 }));
  } finally {
    vault.close();
    database.close();
  }
}

/** The index of the vault, with a cache as large as that of whoever searches. */
function bareDatabase({ settings, stateDir }: BenchVault): DatabaseSync {
  const generations = new Generations(vaultPlaces(stateDir, settings).dir);
  const number = generations.current();
  if (number === undefined) throw new Error('no index was made');
  const database = new DatabaseSync(generations.database(number), { readOnly: true });
  database.exec('PRAGMA cache_size = -16384');
  return database;
}
