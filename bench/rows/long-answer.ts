// M1, M2: what an answer costs in memory while ten clients read it, one of which stands still. M3: how its time grows.
// M4: what each megabyte of it costs while one client reads.
import { compare } from '../harness/compare.ts';
import { type Grown, lineLength } from '../harness/heap.ts';
import { type Clients, LongAnswers, patienceMs } from '../harness/long-answers.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const many = { reading: 9, stalled: 1 };
const one = { reading: 1, stalled: 0 };

const memoryGoal = (id: string, lines: number, atMost: number): Goal => ({
  id,
  what: `an answer of ${lines} lines, read by ${many.reading + many.stalled} clients, one of them stalled: memory`,
  against: 'reference/lines.ts: the same lines in an array',
  atMost,
  unit: 'MB',
  whyNotYet: 'A reader keeps what it has sent, or the text is kept more than once.',
});
export const longGoal = memoryGoal('M1', 12_000, 2);
export const longestGoal = memoryGoal('M2', 100_000, 1.3);

const streamedLines = 50_000;
export const streamedGoal: Goal = {
  id: 'M4',
  what: 'each megabyte of an answer that one client reads: memory',
  against: 'reference/lines.ts: the same lines in an array',
  atMost: 1.3,
  unit: 'MB',
  whyNotYet: 'The text is kept more than once, or in more pieces than it has lines.',
};

const times = 10;
const fewLines = 5_000;
export const growthGoal: Goal = {
  id: 'M3',
  what: `an answer of ${times * fewLines} lines, read by a client: CPU time`,
  against: `${fewLines} lines`,
  atMost: times * 1.3,
  whyNotYet: 'Each line looks again at what came before it.',
};

interface Kept {
  lines: number;
  clients: Clients;
  counted: number;
  /** Divides what is measured. */
  per?: number;
}

async function memory(place: Place, goal: Goal, { lines, clients, counted, per = 1 }: Kept): Promise<Row> {
  await using answers = await LongAnswers.start(place);
  await using array = await Program.start(['--expose-gc', fromBench('reference/lines.ts')], place.env);
  const megabytes = ({ bytes }: Grown): number => bytes / 1_000_000 / per;
  const contenders = {
    subject: async () => megabytes(await answers.write(lines, clients)),
    reference: async () => megabytes((await array.ask({ lines }, patienceMs)) as unknown as Grown),
  };
  return judge(goal, await compare(contenders, { warmup: 1, counted }));
}

export const longAnswer = (place: Place): Promise<Row> =>
  memory(place, longGoal, { lines: 12_000, clients: many, counted: 5 });
export const longestAnswer = (place: Place): Promise<Row> =>
  memory(place, longestGoal, { lines: 100_000, clients: many, counted: 3 });
export const streamed = (place: Place): Promise<Row> => {
  const per = (streamedLines * lineLength) / 1_000_000;
  return memory(place, streamedGoal, { lines: streamedLines, clients: one, counted: 1, per });
};

export async function growth(place: Place): Promise<Row> {
  await using answers = await LongAnswers.start(place);
  const cpuMs = async (lines: number) => (await answers.write(lines, one)).cpuMs;
  const contenders = { subject: () => cpuMs(times * fewLines), reference: () => cpuMs(fewLines) };
  return judge(growthGoal, await compare(contenders, { warmup: 1, counted: 3 }));
}
