// N5: what it takes until something that happens in a conversation is on the nats-servers, too. N6: how that grows.
import { jetstream } from '@nats-io/jetstream';
import { NatsServers } from '../../test/support/nats.ts';
import { compare } from '../harness/compare.ts';
import { judgeGrowth } from '../harness/judge-growth.ts';
import type { Place } from '../harness/place.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';
import { ClusterNode } from '../subject/cluster-node.ts';

/** Of one round, one after the other. */
const texts = 100;
const text = 'a few words of an answer, as they come: about as much as a line of it has.';

const turns = [30, 300];
const lines = [1_000, 10_000];
const line = `${'x'.repeat(199)}\n`;

const appendGoal: Goal = {
  id: 'N5',
  what: 'a text of a conversation until a nats-server has it, p50',
  against: 'a bare JetStream publish of as many bytes, with expected last sequence',
  atMost: 1.5,
  whyNotYet: 'An entry waits for the one before it, or is written in more than one message.',
};
const straight = { id: 'N6', against: 'a straight line: power 1', atMost: 1.05, unit: 'power' } as const;
const turnsGoal: Goal = {
  ...straight,
  what: `${turns.join(' and ')} turns of one conversation, kept on the servers: power with which CPU time grows`,
  whyNotYet: 'All of a conversation is written anew too often.',
};
const answerGoal: Goal = {
  ...straight,
  what: `an answer of ${lines.join(' and ')} lines, kept on the servers: power with which CPU time grows`,
  whyNotYet: 'All of an answer is written anew too often.',
};
export const copyGoals = [appendGoal, turnsGoal, answerGoal];

/** @returns the median of a round, ms */
async function p50(append: () => Promise<unknown>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < texts; n += 1) {
    const from = performance.now();
    await append();
    ms.push(performance.now() - from);
  }
  return median(ms);
}

/** CPU time of this process, ms. */
async function cost(work: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

async function append({ home }: Place): Promise<Row> {
  await using servers = await NatsServers.start();
  const dir = await home.directory('copies');
  await using node = await ClusterNode.start({ node: 'mac', name: 'bench', servers: servers.urls, dir });
  const write = await node.answer('work');
  const client = jetstream(node.connection);
  const { streams } = await client.jetstreamManager();
  await streams.add({ name: 'BARE', subjects: ['bare'], storage: 'file' });
  let last = 0;
  const body = Buffer.alloc(text.length + 200, 'x');
  const publish = async () => {
    const expect = { lastSubjectSequence: last };
    last = (await client.publish('bare', body, { msgID: `${last}`, expect })).seq;
  };
  const rounds = { subject: () => p50(() => write(text)), reference: () => p50(publish) };
  return judge(appendGoal, await compare(rounds, { warmup: 3, counted: 9 }));
}

async function growth({ home }: Place): Promise<Row[]> {
  await using servers = await NatsServers.start();
  const dir = await home.directory('growth');
  await using node = await ClusterNode.start({ node: 'mac', name: 'bench', servers: servers.urls, dir });
  let count = 0;
  const fresh = () => `work-${++count}`;
  const talk = async (most: number) => {
    const key = fresh();
    for (let n = 0; n < most; n += 1) await node.turn(key, text, 500);
  };
  const say = async (most: number) => {
    const write = await node.answer(fresh());
    for (let n = 0; n < most; n += 1) await write(line);
  };
  /** Small ones are repeated until they have taken as long as large ones. */
  const sized = (sizes: readonly number[], work: (size: number) => Promise<void>) => {
    const largest = Math.max(...sizes);
    const one = async (size: number) => {
      const times = largest / size;
      const all = async () => {
        for (let n = 0; n < times; n += 1) await work(size);
      };
      return (await cost(all)) / times;
    };
    return new Map(sizes.map((size) => [size, () => one(size)]));
  };
  // Until V8 has compiled what they go through.
  await talk(300);
  await say(1_000);
  return [
    await judgeGrowth(turnsGoal, sized(turns, talk), 3),
    await judgeGrowth(answerGoal, sized(lines, say), 3),
  ];
}

export async function copies(place: Place): Promise<Row[]> {
  return [await append(place), ...(await growth(place))];
}
