// P17: a gateway that people do use, on the road of P1, P3 and P4.
import { type Contenders, compare, each } from '../harness/compare.ts';
import { Fed, type Feedable } from '../harness/fed.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { cpuMs, residentBytes } from '../harness/process-cost.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { ask, say } from '../rows/first-byte.ts';
import { installPortkey } from './install-portkey.ts';
import { PortkeyGateway } from './portkey-gateway.ts';

const sessions = 100;
const perSession = 20;
/** Long enough for a CPU time that the kernel counts in steps of 10 ms. */
const roundMs = 2_000;
const textsOf = (ms: number): number => (sessions * perSession * ms) / 1_000;
/** Texts until V8 has compiled what they go through. */
const warmup = 6_000;
const messages = 50;

const goalOf = (what: string, rest: Pick<Goal, 'unit' | 'whyNotYet'> = {}): Goal => ({
  id: 'P17',
  what,
  against: 'Portkey’s gateway in front of reference/hop.ts',
  atMost: 1,
  ...rest,
});

const goals = {
  delta: goalOf(`text to SSE, p50, ${sessions} sessions x ${perSession}/s, journal on`),
  cpu: goalOf(`the same, ${textsOf(roundMs)} texts: CPU time`, {
    whyNotYet: 'Each text is decided on and has a row in the journal; Portkey passes bytes on.',
  }),
  memory: goalOf('the same: resident memory then', { unit: 'MB' }),
  firstByte: goalOf('first byte after POST /v1/chat/completions, p50, ours synced'),
};

export const portkeyGoals: readonly Goal[] = Object.values(goals);

/** What a round costs. */
interface Cost {
  /** Median of its texts. */
  deltaMs: number;
  cpuMs: number;
  residentBytes: number;
}

type Served = Feedable & { pid: number };

async function feed(server: Served): Promise<() => Promise<Cost>> {
  const fed = await Fed.open(server, sessions);
  await fed.oneByOne(warmup);
  return async () => {
    const before = cpuMs(server.pid);
    const deltaMs = await fed.paced(sessions * perSession, roundMs);
    return { deltaMs, cpuMs: cpuMs(server.pid) - before, residentBytes: residentBytes(server.pid) };
  };
}

export async function portkey({ home, env }: Place): Promise<Row[]> {
  const installed = installPortkey();
  const stateDir = await home.directory('portkey');
  await using bridge = await Program.start([fromBench('subject/core-bridge.ts'), stateDir], env);
  await using hop = await Program.start([fromBench('reference/hop.ts')], env);
  await using gateway = await PortkeyGateway.start(installed, hop, env);
  const firstBytes: Contenders = {
    subject: ask(bridge, say, messages),
    reference: ask(gateway, say, messages),
  };
  const asked = await compare(firstBytes, { warmup: 4, counted: 9 });
  const fed: Contenders<Cost> = { subject: await feed(bridge), reference: await feed(gateway) };
  const costs = await compare(fed, { warmup: 1, counted: 7 });
  const column = (goal: Goal, number: (cost: Cost) => number) => judge(goal, each(costs, number));
  return [
    column(goals.delta, ({ deltaMs }) => deltaMs),
    column(goals.cpu, (cost) => cost.cpuMs),
    column(goals.memory, (cost) => cost.residentBytes / 1_000_000),
    judge(goals.firstByte, asked),
  ];
}
