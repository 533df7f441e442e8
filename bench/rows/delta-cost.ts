// P4: the CPU time of a text on the road of P1. P13: whether it depends on how many sessions there are.
import { compare } from '../harness/compare.ts';
import { cpuOf } from '../harness/cpu-of.ts';
import { Fed } from '../harness/fed.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** As in P1. */
const usual = { sessions: 100, perSecond: 2_000 };
const roundMs = 800;

const [few, many] = [1, 1_000];
/** Few enough that each text goes to its stream alone: texts of one session that come at once share an event. */
const calmPerSecond = 500;

/** Texts until V8 has compiled what they go through: a server of one session is as warm then as one of a thousand. */
const warmup = 6_000;

/** In a round. */
const textsOf = (perSecond: number): number => (perSecond * roundMs) / 1_000;

export const costGoal: Goal = {
  id: 'P4',
  what: `${textsOf(usual.perSecond)} texts to SSE in ${usual.sessions} sessions, journal on: CPU time`,
  against: 'reference/hop.ts, same frames',
  atMost: 2.2,
  whyNotYet:
    'What is on top is the way through the core, from the decision to the reader, and a row of the journal for each text.',
};

export const sessionsGoal: Goal = {
  id: 'P13',
  what: `${textsOf(calmPerSecond)} texts to SSE in ${many} sessions, journal on: CPU time`,
  against: `${few} session`,
  atMost: 1.2,
  whyNotYet:
    'The collector has a thousand conversations and streams to look after; two thousand cost no more, so nothing looks at all of them.',
};

const startBridge = async ({ home, env }: Place, name: string): Promise<Program> =>
  Program.start([fromBench('subject/core-bridge.ts'), await home.directory(name)], env);

/** @returns one round: CPU milliseconds */
async function cost(server: Program, sessions: number, perSecond: number): Promise<() => Promise<number>> {
  const fed = await Fed.open(server, sessions);
  await fed.oneByOne(warmup);
  return () => cpuOf(server, () => fed.paced(perSecond, roundMs));
}

export async function deltaCost(place: Place): Promise<Row> {
  await using bridge = await startBridge(place, 'cost');
  await using hop = await Program.start([fromBench('reference/hop.ts')], place.env);
  const { sessions, perSecond } = usual;
  const contenders = {
    subject: await cost(bridge, sessions, perSecond),
    reference: await cost(hop, sessions, perSecond),
  };
  return judge(costGoal, await compare(contenders, { warmup: 0, counted: 5 }));
}

export async function costOfSessions(place: Place): Promise<Row> {
  await using crowded = await startBridge(place, 'crowded');
  await using quiet = await startBridge(place, 'quiet');
  const contenders = {
    subject: await cost(crowded, many, calmPerSecond),
    reference: await cost(quiet, few, calmPerSecond),
  };
  return judge(sessionsGoal, await compare(contenders, { warmup: 0, counted: 5 }));
}
