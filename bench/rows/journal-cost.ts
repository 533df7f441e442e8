// P5: what a journal on disk costs a bridge that has all the work it can do. P6: how long one row takes until it is safe.
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/start/open-journal.ts';
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { FrameSender } from '../harness/frame-sender.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';
import { syncedAppend } from '../reference/synced-append.ts';

const sessions = 16;
/** Of each session: 256 frames are on their way. */
const window = 16;
const perSession = 500;
const rows = 200;

export const throughputGoal: Goal = {
  id: 'P5',
  what: `${sessions * perSession} texts, ${sessions * window} on their way, each durable`,
  against: 'the same with a journal in memory',
  atMost: 1.25,
  whyNotYet:
    'SQLite, hash and JSON of a row take a quarter of the time of a text by themselves. Whenever the log begins anew, all that has to be durable waits for three syncs.',
};

export const rowGoal: Goal = {
  id: 'P6',
  what: 'one row appended to the journal until it is durable, p50',
  against: 'reference/synced-append.ts: the same bytes',
  atMost: 2,
  whyNotYet:
    'Before its sync a row goes through a transaction of SQLite, and gets a link and a seal of the chain.',
};

const texts = Array.from({ length: perSession }, (_, n) => `a few words of an answer, number ~${n}~ `);

/** @returns one round: milliseconds */
async function busy(bridge: Program): Promise<() => Promise<number>> {
  const at = { url: bridge.text('url'), token: bridge.text('token') };
  const senders: FrameSender[] = [];
  for (let n = 0; n < sessions; n += 1) {
    await chatStream({ ...at, session: `s${n}`, text: 'stay' }, () => {});
    senders.push(await FrameSender.connect(bridge.text('frames'), `s${n}`));
  }
  return async () => {
    const from = performance.now();
    await Promise.all(senders.map((sender) => sender.sendAcked(texts, window)));
    return performance.now() - from;
  };
}

export async function throughput({ home, env }: Place): Promise<Row> {
  const program = fromBench('subject/core-bridge.ts');
  await using onDisk = await Program.start([program, await home.directory('busy')], env);
  await using inMemory = await Program.start([program], env);
  const contenders = { subject: await busy(onDisk), reference: await busy(inMemory) };
  return judge(throughputGoal, await compare(contenders, { warmup: 3, counted: 9 }));
}

/** @param text of a message that a user sent */
const queued = (turn: string, text: string) =>
  ({ type: 'turn.queued', turn, ingress: 'openai', text, meta: {} }) as const;

/** @returns the median of some runs, milliseconds */
async function p50(append: (n: number) => Promise<void>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < rows; n += 1) {
    const from = performance.now();
    await append(n);
    ms.push(performance.now() - from);
  }
  return median(ms);
}

export async function durableRow({ home }: Place): Promise<Row> {
  const dir = await home.directory('rows');
  const { journal } = openJournal({ dir });
  const append = syncedAppend(join(dir, 'lines'));
  const event = (n: number) => queued(`t${n}`, 'a message of some words, as people write them');
  const subject = async (n: number) => {
    const seq = journal.append('bench', [event(n)])[0]?.seq ?? 0;
    await journal.durable(seq);
  };
  const reference = (n: number) => {
    const row = { seq: n, at: Date.now(), session: 'bench', event: event(n) };
    return append(`${JSON.stringify(row)}\n`);
  };
  const contenders = { subject: () => p50(subject), reference: () => p50(reference) };
  const rounds = await compare(contenders, { warmup: 2, counted: 11 });
  await journal.close();
  return judge(rowGoal, rounds);
}
