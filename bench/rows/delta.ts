// P1: text that is known to the core becomes bytes of a client's stream.
import { compare } from '../harness/compare.ts';
import { Fed, type Feedable } from '../harness/fed.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const perSession = 20;
const roundMs = 1000;

export const deltaGoal: Goal = {
  id: 'P1',
  what: `text to SSE, p50, 100 sessions x ${perSession}/s, journal on`,
  against: 'reference/hop.ts, same frames',
  atMost: 1.3,
  whyNotYet:
    'Texts come in bursts, and each waits for those before it: beside its write to the socket a text takes 40 us, of which the journal is a half, and deciding, folding and waking the reader the other.',
};

/** A server that is fed with frames and read as chat streams. @returns one round: the median of their latencies, ms */
export async function feed(server: Feedable, sessions = 100): Promise<() => Promise<number>> {
  const fed = await Fed.open(server, sessions);
  return () => fed.paced(sessions * perSession, roundMs);
}

export async function delta({ home, env }: Place): Promise<Row> {
  const stateDir = await home.directory('delta');
  await using bridge = await Program.start([fromBench('subject/core-bridge.ts'), stateDir], env);
  await using hop = await Program.start([fromBench('reference/hop.ts')], env);
  const contenders = { subject: await feed(bridge), reference: await feed(hop) };
  return judge(deltaGoal, await compare(contenders, { warmup: 2, counted: 11 }));
}
