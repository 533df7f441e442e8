// nats-servers that are not there, go, come back, refuse, or are too few to agree.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.ts';
import { Bucket } from '../../../src/bridge/cluster/bucket.ts';
import { Homes } from '../../../src/bridge/cluster/homes.ts';
import { Members } from '../../../src/bridge/cluster/members.ts';
import { NatsLink } from '../../../src/bridge/cluster/nats-link.ts';
import { serverTrouble } from '../../../src/bridge/cluster/server-trouble.ts';
import { ClusterSettings } from '../../../src/protocol/cluster/cluster.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NatsServers, natsToken } from '../../support/nats.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';

interface Linked {
  link: NatsLink;
  clock: ManualClock;
  /** Times that it was told of a connection. */
  ups(): number;
  /** Until the state is that, while the time of retries passes. */
  is(name: string, reason?: string): Promise<void>;
}

function linkTo(
  servers: NatsServers,
  settings: object,
  up: () => Promise<void> = () => Promise.resolve(),
): Linked {
  const clock = new ManualClock();
  let ups = 0;
  const link = new NatsLink({
    settings: ClusterSettings.parse({ node: 'mac', servers: servers.urls, ...settings }),
    clock,
    log: silentLog,
    up: () => {
      ups += 1;
      return up();
    },
  });
  onTestFinished(() => link.close());
  link.start();
  const is = async (name: string, reason?: string) => {
    await until(`${name}, ${reason}; it is ${JSON.stringify(link.state)}`, () => {
      clock.advance(1_000);
      const words = 'reason' in link.state ? (link.state.reason ?? '') : '';
      return (
        link.state.name === name && words.includes(reason ?? '') && (reason !== undefined || words === '')
      );
    });
  };
  return { link, clock, ups: () => ups, is };
}

test('a server that comes later, goes and comes again', async () => {
  await using servers = await NatsServers.start();
  const [server] = servers.all;
  await server?.kill();
  const { link, ups, is } = linkTo(servers, { token: natsToken });
  await is('connecting', 'refused');
  await server?.start();
  await is('connected');
  expect(ups()).toBe(1);
  await server?.kill();
  await is('lost', 'was lost');
  expect(link.connection).toBe(undefined);
  await server?.start();
  await is('connected');
  await until('the second time', () => ups() === 2);
  await link.close();
});

test('who is connected and has not joined yet says so, each time', async () => {
  await using servers = await NatsServers.start();
  const [server] = servers.all;
  let joined = Promise.withResolvers<void>();
  const { is } = linkTo(servers, { token: natsToken }, () => joined.promise);
  await is('connected', 'is being joined');
  joined.resolve();
  await is('connected');
  joined = Promise.withResolvers();
  await server?.kill();
  await is('lost', 'was lost');
  await server?.start();
  await is('connected', 'is being joined');
  joined.resolve();
  await is('connected');
});

test('a token that is refused, and one that is renewed in its file', async () => {
  await using servers = await NatsServers.start();
  const folder = mkdtempSync(join(tmpdir(), 'token-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  const write = (token: string) => writeFileSync(tokenFile, token, { mode: 0o600 });
  const { is, link } = linkTo(servers, { tokenFile });
  await is('connecting', 'cannot be read');
  write('another');
  await is('connecting', 'uthorization');
  write(natsToken);
  await is('connected');
  // Servers that want another one from now on.
  write('another');
  await servers.all[0]?.kill();
  await servers.all[0]?.start();
  await is('lost', 'uthorization');
  write(natsToken);
  await is('connected');
  await link.close();
});

test('most of the servers are away: that is said, and not that JetStream is off', async () => {
  await using servers = await NatsServers.start(3);
  const [first, second, third] = servers.all;
  const { link, is } = linkTo(servers, { token: natsToken, servers: [third?.url] }, async () => {
    if (link.connection) await Bucket.open(link.connection, 'synthesis', 3);
  });
  await is('connected');
  await Promise.all([first?.kill(), second?.kill()]);
  const { connection } = link;
  if (!connection) throw new Error('it is connected');
  // One that led the bucket opens it by itself until it has noticed that it is alone.
  const open = () => Bucket.open(connection, 'synthesis', 3).then(() => undefined, serverTrouble);
  expect(await until('a refusal', open, 30_000, 100)).toContain('most of them are away');
  await link.close();
});

test('a cluster that cannot be joined is said, and tried again', async () => {
  await using servers = await NatsServers.start();
  let isBroken = true;
  const { is, link, ups } = linkTo(servers, { token: natsToken }, () =>
    isBroken ? Promise.reject(new Error('jetstream is not enabled')) : Promise.resolve(),
  );
  await is('connected', 'jetstream is not enabled');
  isBroken = false;
  await is('connected');
  expect(ups()).toBeGreaterThan(1);
  await link.close();
});

test('without a majority nothing hangs, what is here is here, and what may have been written is found', async () => {
  await using servers = await NatsServers.start(3);
  const [first, second, third] = servers.all;
  const connection = await connect({ servers: [first?.url ?? ''], token: natsToken });
  onTestFinished(() => connection.close());
  const bucket = await until('a bucket on three servers', () =>
    Bucket.open(connection, 'test', 3).catch(() => undefined),
  );
  const has = new Set(['mine']);
  const clock = new ManualClock();
  const homes = new Homes({
    node: 'mac',
    bucket: () => bucket,
    pinOf: () => undefined,
    has: (key) => has.has(key),
    clock,
  });
  const members = new Members({
    node: 'mac',
    instance: 'one',
    about: () => ({
      release: '1',
      started_at: '',
      sessions: 0,
      live: 0,
      free_mb: 1,
      draining: false,
      asking: [],
    }),
    bucket: () => bucket,
    taken: () => {},
    looked: () => {},
    leaseMs: 30_000,
    now: () => 0,
    wrote: () => {},
    clock,
    log: silentLog,
  });
  await members.join();
  const Any = z.unknown();
  const revision = (await bucket.set('own.a', 1, 0)) ?? 0;
  await second?.pause();
  await third?.pause();
  // Nobody who writes a message waits for all of these.
  const asked = Promise.all([homes.of('mine'), homes.of('other')]);
  clock.advance(4_000);
  expect((await asked).map(({ kind }) => kind)).toEqual(['here', 'unknown']);
  const failed = await Promise.allSettled([
    bucket.get('own.a', Any),
    bucket.set('own.b', 1, 0),
    bucket.set('own.a', 2, revision),
    bucket.delete('own.a', revision),
    bucket.list('own.', Any),
    Bucket.open(connection, 'other', 3),
  ]);
  // A leader reads what it has; all that changes something needs the others.
  expect(failed.map(({ status }) => status).filter((status) => status === 'rejected').length).toBeGreaterThan(
    3,
  );
  await members.join();
  expect(members.reason).toContain('what the cluster needs: JetStream does not answer');
  second?.goOn();
  third?.goOn();
  await until('an answer', () => homes.claim('other').catch(() => undefined), 30_000);
  expect((await homes.of('other')).kind).toBe('here');
  await until('a beat', async () => {
    await members.join();
    return members.reason === undefined;
  });
  expect(members.isTaken).toBe(false);
});
