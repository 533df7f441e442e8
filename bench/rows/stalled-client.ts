// P16: a client that is connected and reads nothing, while its conversation is written to as fast as nobody reads.

import { longestText } from '../../src/bridge/app/reader/reader-item.ts';
import { compare, type Rounds } from '../harness/compare.ts';
import { FrameSender } from '../harness/frame-sender.ts';
import { paced } from '../harness/paced.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { readTurn } from '../harness/readers.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { feed } from './delta.ts';

const others = 40;
const perSecond = 100;
/** 1 MB a second. */
const piece = `${'words of an answer that is as long as nobody likes to read. '.repeat(167).slice(0, 9_999)}\n`;
/** Sent before: what the system itself takes for a client that does not read, 4.2 MB on Linux, and more. */
const piecesBefore = 600;
const counts = { warmup: 1, counted: 4 };

const beside: Goal = {
  id: 'P16',
  what: `text to SSE, p50, ${others} sessions, beside a client that reads nothing of 1 MB/s`,
  against: 'the same, and it reads',
  atMost: 1.2,
  whyNotYet: 'What one client does not read holds up the others.',
};
/** What Node takes before it says that it is enough, and the part that it was given then, as text and as bytes; MB. */
const cap = (64 * 1024 + 2 * longestText) / 1_000_000;
/** By which two bridges differ that did the same, MB. */
const noise = 0.05;
const memory: Goal = {
  id: 'P16',
  what: 'the same: memory above that of a bridge whose client reads',
  against: `the most that may wait for a client, and ${noise} MB`,
  atMost: 1.05,
  most: 0.19,
  unit: 'MB',
  whyNotYet: 'More waits for a client than the last part that it was given.',
};
export const stalledGoals = [beside, memory];

interface Side {
  /** Sends what the system takes, while nothing else is going on. */
  begin(): Promise<void>;
  /** A second of it. @returns the latency of the others, ms */
  round(): Promise<number>;
  /** What lives more than before the long answer, MB. */
  grown(): Promise<number>;
}

/** @param reads whether the client of the long answer does */
async function sideOf(bridge: Program, reads: boolean): Promise<Side> {
  const megabytes = async () => Number((await bridge.ask({ what: 'memory' }, 10_000)).live) / 1_000_000;
  const latency = await feed(bridge, others);
  await latency();
  const door = { url: bridge.text('url'), token: bridge.text('token') };
  const session = 'long-stay';
  const client = await readTurn({ ...door, session, reading: 0 });
  // It is cut off in the end.
  if (reads) client.lengths().catch(() => {});
  const long = await FrameSender.connect(bridge.text('frames'), session);
  let before = 0;
  const begin = async () => {
    before = await megabytes();
    await paced(piecesBefore, 1_000, () => long.send(piece));
  };
  const round = async () => {
    const [ms] = await Promise.all([latency(), paced(perSecond, 1_000, () => long.send(piece))]);
    return ms;
  };
  return { begin, round, grown: async () => (await megabytes()) - before };
}

export async function stalledClient({ home, env }: Place): Promise<Row[]> {
  const start = async (name: string) => {
    const dir = await home.directory(name);
    return Program.start(['--expose-gc', fromBench('subject/core-bridge.ts'), dir], env);
  };
  await using stalled = await start('stalled');
  await using healthy = await start('healthy');
  const [subject, reference] = await Promise.all([sideOf(stalled, false), sideOf(healthy, true)]);
  await subject.begin();
  await reference.begin();
  const above: Rounds = { subject: [], reference: [] };
  let halves = 0;
  /** Compares what lives where both have been sent as much: between two rounds. */
  const half = async (side: Side) => {
    if (halves > 0 && halves % 2 === 0) {
      above.subject.push((await subject.grown()) - (await reference.grown()));
      above.reference.push(cap + noise);
    }
    halves += 1;
    return side.round();
  };
  const contenders = { subject: () => half(subject), reference: () => half(reference) };
  const latencies = await compare(contenders, counts);
  return [judge(beside, latencies), judge(memory, above)];
}
