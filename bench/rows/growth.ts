// G1: how the work of a bridge grows with the sessions in which it streams. G2: with the length of an answer.
import { cpuOf } from '../harness/cpu-of.ts';
import { Fed } from '../harness/fed.ts';
import { judgeGrowth } from '../harness/judge-growth.ts';
import { LongAnswers } from '../harness/long-answers.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import type { Goal, Row } from '../harness/row.ts';

const sessions = [1, 10, 100, 1_000];
const perSession = 2;
/** For every size, so that few sessions are repeated until they take as long as many. */
const texts = 2_000;
/** Texts until V8 has compiled what they go through. */
const warmup = 6_000;

/** Answers by length: short ones are repeated. */
const answers = [
  { lines: 1_000, times: 10 },
  { lines: 10_000, times: 1 },
  { lines: 100_000, times: 1 },
];

/** As `warmup`: V8 compiles anew what it has compiled for one answer alone. */
const answersBefore = 10;

const straight = { against: 'a straight line: power 1', atMost: 1.05, unit: 'power' } as const;

export const sessionGrowthGoal: Goal = {
  id: 'G1',
  what: `${perSession} texts in each of ${sessions.join(', ')} sessions: power with which CPU time grows`,
  ...straight,
  whyNotYet:
    'The collector has more conversations and streams to look after; two thousand cost no more a text than a thousand.',
};

export const answerGrowthGoal: Goal = {
  id: 'G2',
  what: `an answer of ${answers.map(({ lines }) => lines).join(', ')} lines: power with which CPU time grows`,
  ...straight,
  whyNotYet: 'Each line looks again at what came before it.',
};

export async function sessionGrowth({ home, env }: Place): Promise<Row> {
  await using bridges = new AsyncDisposableStack();
  const sized = new Map<number, () => Promise<number>>();
  for (const size of sessions) {
    const args = [fromBench('subject/core-bridge.ts'), await home.directory(`sessions-${size}`)];
    const bridge = bridges.use(await Program.start(args, env));
    const fed = await Fed.open(bridge, size);
    await fed.oneByOne(warmup);
    const times = texts / (size * perSession);
    sized.set(size, async () => (await cpuOf(bridge, () => fed.oneByOne(texts))) / times);
  }
  return await judgeGrowth(sessionGrowthGoal, sized, 3);
}

export async function answerGrowth(place: Place): Promise<Row> {
  await using bridge = await LongAnswers.start(place);
  const one = { reading: 1, stalled: 0 };
  const cpuMs = async (lines: number) => (await bridge.write(lines, one, 0)).cpuMs;
  const sized = new Map<number, () => Promise<number>>();
  for (const { lines, times } of answers) {
    sized.set(lines, async () => {
      let sum = 0;
      for (let n = 0; n < times; n += 1) sum += await cpuMs(lines);
      return sum / times;
    });
  }
  for (let n = 0; n < answersBefore; n += 1) await cpuMs(1_000);
  return await judgeGrowth(answerGrowthGoal, sized, 1);
}
