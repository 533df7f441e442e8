// K1 and K2: what a journal that was written to for long costs a start, before and after its rows went to the archive.
import { cp } from 'node:fs/promises';
import { callBridge } from '../../src/cli/client/control-client.ts';
import { until } from '../../test/support/until.ts';
import { compare } from '../harness/compare.ts';
import { type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { fillJournal } from '../subject/fill-journal.ts';

const written = 1_000_000;
const small = 10_000;
const counts = { warmup: 0, counted: 3 };

export const archivedGoal: Goal = {
  id: 'K1',
  what: `synthesis up, start to ready, ${written} rows written and archived`,
  against: `the same with a journal of ${small} rows`,
  atMost: 1.1,
  whyNotYet: 'A start folds what was written since the last compaction, and the state of each session.',
};

export const unarchivedGoal: Goal = {
  id: 'K2',
  what: `synthesis up, start to ready, ${written} rows written and archived`,
  against: 'the same before they were archived',
  atMost: 0.2,
  whyNotYet: 'A start folds what was written since the last compaction, and the state of each session.',
};

const up = (state: string) => [shipped.cli, 'up', '--json', '--port', '0', '--state-dir', state];

const starting = (state: string, env: Record<string, string>) => async () => {
  await using bridge = await Program.start(up(state), env);
  return bridge.readyMs;
};

/** A bridge that runs archives them by itself. */
async function archive(state: string, env: Record<string, string>): Promise<void> {
  await using _bridge = await Program.start(up(state), env);
  await until('the archive', async () => (await callBridge(state, 'journal.stats', {})).archive.segments > 0);
}

export async function archivedStart({ home, env }: Place): Promise<Row> {
  const [long, short] = [await home.directory('long'), await home.directory('short')];
  await fillJournal(long, written);
  await archive(long, env);
  await fillJournal(short, small);
  const contenders = { subject: starting(long, env), reference: starting(short, env) };
  return judge(archivedGoal, await compare(contenders, { ...counts, counted: 7 }));
}

export async function unarchivedStart({ home, env }: Place): Promise<Row> {
  const [before, after] = [await home.directory('before'), await home.directory('after')];
  await fillJournal(before, written);
  await cp(before, after, { recursive: true });
  await archive(after, env);
  // What a start has begun to archive it drops when it is ended, which is at once.
  const contenders = { subject: starting(after, env), reference: starting(before, env) };
  return judge(unarchivedGoal, await compare(contenders, counts));
}
