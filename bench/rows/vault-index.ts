// V1: what a full index of a vault costs in time and memory. V2: how its time grows with the notes.
import { join } from 'node:path';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import type { Taken } from '../harness/taken.ts';
import { benchVault, Indexer } from '../harness/vault.ts';
import { fillVault } from '../subject/fill-vault.ts';

const times = 10;
const fewNotes = 1_000;
const manyNotes = times * fewNotes;
/** Each takes half a minute. */
const rounds = 2;
/** The reference takes so long at most, milliseconds. */
const patienceMs = 300_000;

const bare = 'reference/fts5.ts: the same texts in a bare FTS5 table';

const fullGoal: Goal = {
  id: 'V1',
  what: `a vault of ${manyNotes} notes is indexed: CPU time`,
  against: bare,
  atMost: 3.5,
  most: 30_000,
  whyNotYet: 'A note is read more than once, or one of the patterns of secrets has become slow.',
};
const memoryGoal: Goal = {
  id: 'V1',
  what: `a vault of ${manyNotes} notes is indexed: memory of the indexer at its highest`,
  against: bare,
  atMost: 3,
  most: 300,
  unit: 'MB',
  whyNotYet: 'Notes stay in memory when they are in the index, or too many wait to be written.',
};
const growthGoal: Goal = {
  id: 'V2',
  what: `a vault of ${manyNotes} notes is indexed: CPU time`,
  against: `one of ${fewNotes} notes`,
  atMost: times * 1.3,
  whyNotYet: 'Each note looks again at what came before it, or parts of the index are merged too often.',
};
export const indexGoals = [fullGoal, memoryGoal, growthGoal];

export async function vaultIndex({ home, env }: Place): Promise<Row[]> {
  const [few, many] = [await home.directory('few'), await home.directory('many')];
  fillVault(few, fewNotes);
  fillVault(many, manyNotes);
  const index = async (notes: string, round: number): Promise<Taken> => {
    // Where there is no index yet, by a process that has indexed nothing before.
    await using indexer = await Indexer.start(env);
    return await indexer.index(benchVault(notes, await home.directory(`state-${round}-${notes === few}`)));
  };
  const fill = async (): Promise<Taken> => {
    await using program = await Program.start([fromBench('reference/fts5.ts')], env);
    return (await program.ask(
      { folder: many, file: join(home.path, 'bare.db') },
      patienceMs,
    )) as unknown as Taken;
  };
  const all: Record<'large' | 'small' | 'bare', Taken>[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push({ bare: await fill(), small: await index(few, round), large: await index(many, round) });
  const cpu = (of: 'large' | 'small' | 'bare') => all.map((each) => each[of].cpuMs);
  const megabytes = (of: 'large' | 'bare') => all.map((each) => each[of].peakBytes / 1_000_000);
  return [
    judge(fullGoal, { subject: cpu('large'), reference: cpu('bare') }),
    judge(memoryGoal, { subject: megabytes('large'), reference: megabytes('bare') }),
    judge(growthGoal, { subject: cpu('large'), reference: cpu('small') }),
  ];
}
