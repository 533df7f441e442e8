// A tunnel outlives the kill of a nats-server under load, and of the next one, without a byte lost or doubled.
import { createHash, randomBytes } from 'node:crypto';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'vitest';
import { ManualClock } from '../../../support/manual-clock.ts';
import { NatsServers } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { Node, tunnel } from '../support/nodes.ts';

const all = 60_000_000;
/** Read when a server is killed. */
const kills = [10_000_000, 35_000_000];

function source(): { stream: Readable; digest(): string } {
  const hash = createHash('sha256');
  let made = 0;
  const stream = new Readable({
    read() {
      const chunk = randomBytes(Math.min(10_007, all - made));
      made += chunk.length;
      hash.update(chunk);
      this.push(chunk.length > 0 ? chunk : null);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}

/** Reads all of it. `at` is told how much that is by now, and waited for. */
async function digestOf(duplex: Duplex, at: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  duplex.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
    at(bytes);
  });
  await new Promise<void>((resolve, reject) => duplex.once('end', resolve).once('error', reject));
  return hash.digest('hex');
}

test('60 MB each way, while the server of one node is killed and then that of the other', async () => {
  await using servers = await NatsServers.start(3);
  const [first, second, third] = servers.urls as [string, string, string];
  await using one = await Node.start([first, third, second]);
  await using two = await Node.start([second, third, first]);
  const [a, b] = await tunnel(one, two, 'n.outlives');
  const killed: Promise<void>[] = [];
  const kill = (bytes: number) => {
    const next = killed.length;
    if (bytes >= (kills[next] ?? Number.POSITIVE_INFINITY)) killed.push(killAndRestart(servers, next));
  };
  const [there, back] = [source(), source()];
  const [atB, atA] = await Promise.all([
    digestOf(b, kill),
    digestOf(a, () => {}),
    pipeline(there.stream, a),
    pipeline(back.stream, b),
  ]);
  expect(killed).toHaveLength(2);
  await Promise.all(killed);
  expect(atB).toBe(there.digest());
  expect(atA).toBe(back.digest());
  await until('both ends to be done', () => one.endpoint.size + two.endpoint.size === 0);
});

async function killAndRestart(servers: NatsServers, n: number): Promise<void> {
  await servers.all[n]?.kill();
  await servers.all[n]?.start();
}

test('what is said while a server is away comes when the next one is there, without waiting for a timer', async () => {
  await using servers = await NatsServers.start(3);
  const [first, second, third] = servers.urls as [string, string, string];
  const clock = new ManualClock();
  await using one = await Node.start([first, second], { clock });
  await using two = await Node.start([third, second], { clock });
  await using three = await Node.start([second]);
  const [a, b] = await tunnel(one, two, 'n.idle');
  // The server that is the next one knows the way, too.
  await tunnel(three, two, 'n.next');
  const heard: string[] = [];
  b.on('data', (chunk) => heard.push(String(chunk)));
  await servers.all[0]?.kill();
  a.write('said to nobody');
  await until('what was said meanwhile', () => heard.length > 0);
  expect(heard).toEqual(['said to nobody']);
});

test('a node without any server keeps no more for it than its window, and its tunnels end in words', async () => {
  await using servers = await NatsServers.start();
  const clock = new ManualClock();
  await using one = await Node.start(servers.urls, { clock });
  await using two = await Node.start(servers.urls, { clock });
  const [a, b] = await tunnel(one, two, 'n.alone');
  const disconnected = (async () => {
    for await (const { type } of one.connection.status()) if (type === 'disconnect') return;
  })();
  await Promise.all(servers.all.map((each) => each.kill()));
  await disconnected;
  const { outBytes } = one.connection.stats();
  a.write(randomBytes(200_000));
  clock.advance(10_000);
  expect(one.connection.stats().outBytes).toBe(outBytes);
  clock.advance(250);
  for (const end of [a, b]) expect(end.errored).toMatchObject({ code: 'peer_gone' });
  expect(clock.timers).toBe(0);
});
