// N1: bytes through a tunnel between two nodes. N2: a small request through it. N3: how its cost grows with the bytes.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { http, Node, tunnel } from '../../test/bridge/cluster/support/nodes.ts';
import { NatsServers } from '../../test/support/nats.ts';
import { compare } from '../harness/compare.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';

const times = 10;
const all = 10_000_000;
/** Of one round, one after the other. */
const requests = 200;

const bytesGoal: Goal = {
  id: 'N1',
  what: `${all / 1_000_000} MB through a tunnel between two nodes`,
  against: 'reference/tcp-proxy.ts',
  atMost: 8,
  whyNotYet: 'The window is empty before it is granted again, or bytes are copied more often.',
};
const requestGoal: Goal = {
  id: 'N2',
  what: 'a small request through an open tunnel and its answer, p50',
  against: 'a request of bare NATS',
  atMost: 1.2,
  whyNotYet: 'A message waits for a timer, or for its acknowledgement.',
};
const growthGoal: Goal = {
  id: 'N3',
  what: `${all / 1_000_000} MB through a tunnel: CPU time`,
  against: `${times} tunnels, one after the other, with ${all / times / 1_000_000} MB each`,
  atMost: 1.3,
  whyNotYet: 'What is acknowledged is not let go of.',
};
export const tunnelGoals = [bytesGoal, requestGoal, growthGoal];

type Open = () => Promise<Duplex>;

/** Reads all, and ends when that is all. */
const sink = (duplex: Duplex) => void duplex.resume().once('end', () => duplex.end());

/** Opens it, writes so many bytes, and waits until the other end has read them. */
async function carry(open: Open, bytes: number): Promise<void> {
  const duplex = await open();
  const ended = once(duplex.resume(), 'end');
  const chunk = Buffer.alloc(50_000, 'x');
  for (let n = 0; n < bytes; n += chunk.length) if (!duplex.write(chunk)) await once(duplex, 'drain');
  duplex.end();
  await ended;
}

async function wall(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** CPU time of this process, which has both ends, ms. */
async function cost(work: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

async function p50(ask: () => Promise<unknown>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const from = performance.now();
    await ask();
    ms.push(performance.now() - from);
  }
  return median(ms);
}

export async function tunnels(place: Place): Promise<Row[]> {
  await using servers = await NatsServers.start();
  await using one = await Node.start(servers.urls);
  await using two = await Node.start(servers.urls);
  two.endpoint.listen('bench.bytes', sink);
  await two.connection.flush();
  const dial = () => one.endpoint.dial('bench.bytes', http, 10_000);
  const door = createServer(sink).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const target = String((door.address() as AddressInfo).port);
  await using proxy = await Program.start([fromBench('reference/tcp-proxy.ts'), target], place.env);
  const connected = async () => connect(Number(proxy.ready.port), '127.0.0.1');
  const bytes = await compare(
    { subject: () => wall(() => carry(dial, all)), reference: () => wall(() => carry(connected, all)) },
    { warmup: 2, counted: 7 },
  );
  const inParts = async () => {
    for (let n = 0; n < times; n += 1) await carry(dial, all / times);
  };
  const growth = await compare(
    { subject: () => cost(() => carry(dial, all)), reference: () => cost(inParts) },
    { warmup: 1, counted: 7 },
  );
  const [asks, answers] = await tunnel(one, two, 'bench.requests');
  answers.on('data', (chunk) => answers.write(chunk));
  two.connection.subscribe('bench.bare', {
    callback: (_error, message) => void message.respond(message.data),
  });
  await two.connection.flush();
  const text = 'x'.repeat(100);
  const through = async () => {
    const answer = once(asks, 'data');
    asks.write(text);
    await answer;
  };
  const rounds = {
    subject: () => p50(through),
    reference: () => p50(() => one.connection.request('bench.bare', text)),
  };
  const request = await compare(rounds, { warmup: 2, counted: 7 });
  door.close();
  return [judge(bytesGoal, bytes), judge(requestGoal, request), judge(growthGoal, growth)];
}
