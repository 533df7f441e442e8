// What is of no use any more on the servers is not to be read in their files either: not only taken out of the stream.
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect } from 'vitest';
import { CopyStore } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { filesWith } from '../../../support/bytes-on-disk.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { all, Copied, freshStore, Line } from '../support/copies.ts';

let servers: NatsServers;
let connection: NatsConnection;

beforeAll(async () => {
  servers = await NatsServers.start();
  connection = await connect({ servers: servers.urls, token: natsToken });
});

afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

const bytes = (text: string) => Buffer.from(text);
const isOnDisk = (text: string) => filesWith([servers.folder], [text]).length > 0;

test.for([1, 1_200_000])('of what an owner has written anew, %d bytes, no byte is left', async (size) => {
  const line = new Line(await freshStore(connection));
  const owner = line.owner(1);
  const pad = 'x'.repeat(size);
  await line.owner(0).append(bytes(`of-an-owner-before-${size} ${pad}`));
  await owner.append(bytes(`replaced-${size} ${pad}`));
  expect([isOnDisk(`of-an-owner-before-${size}`), isOnDisk(`replaced-${size}`)]).toEqual([true, true]);
  await owner.forgetOlder(await owner.append(bytes(`what-stays-${size}`)));
  expect([isOnDisk(`of-an-owner-before-${size}`), isOnDisk(`replaced-${size}`)]).toEqual([false, false]);
  expect(isOnDisk(`what-stays-${size}`)).toBe(true);
  await owner.forgetAll();
  expect(isOnDisk(`what-stays-${size}`)).toBe(false);
});

test('a conversation that is copied anew leaves no byte of what it was before, and none at all once it is removed', async () => {
  const room = new Copied(await freshStore(connection));
  const copy = room.begin();
  room.label('its-first-name');
  await copy.durable(room.seq);
  expect(isOnDisk('its-first-name')).toBe(true);
  room.label('its-second-name');
  // All of it is written anew after so many entries.
  for (let n = 0; n < 201; n += 1) {
    room.label(`name ${n}`);
    await copy.durable(room.seq);
  }
  room.label('its-last-name');
  await copy.durable(room.seq);
  expect(isOnDisk('its-last-name')).toBe(true);
  const isSuperseded = () => !isOnDisk('its-first-name') && !isOnDisk('its-second-name');
  await until('what it was before to be erased', isSuperseded);
  room.say({ type: 'session.remove' });
  await copy.erase(async () => {});
  expect(isOnDisk('its-last-name')).toBe(false);
});

test('what was erased is not back when a server alone was killed right after', async () => {
  await using one = await NatsServers.start();
  const options = { token: natsToken, maxReconnectAttempts: -1, reconnectTimeWait: 100 };
  await using client = await connect({ servers: one.urls, ...options });
  const store = await CopyStore.open(client, 'synthesis', { replicas: 1, maxBytes: 8_000_000 });
  const owner = new Line(store).owner(1);
  for (const text of ['killed-a', 'killed-b']) await owner.append(bytes(text));
  await owner.forgetOlder(await owner.append(bytes('what stays')));
  await one.all[0]?.kill();
  await one.all[0]?.start();
  const read = () => all(store, store.subjectOf('copy', 'digest')).catch(() => undefined);
  const found = await until('the server', read, 20_000);
  expect(found.map(({ data }) => Buffer.from(data).toString())).toEqual(['what stays']);
  expect(filesWith([one.folder], ['killed-a', 'killed-b'])).toEqual([]);
});

// Their log of changes keeps it for up to three minutes more, which is measured in docs/reference/cluster.md: no wait for every run.
test('of three servers each erases it from its stream at once, also one that was away for a moment', async () => {
  await using three = await NatsServers.start(3);
  await using client = await connect({
    servers: three.urls,
    token: natsToken,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  const open = () => CopyStore.open(client, 'synthesis', { replicas: 3, maxBytes: 8_000_000 });
  const store = await until('a quorum', () => open().catch(() => undefined), 60_000);
  const owner = new Line(store).owner(1);
  const folders = three.all.map((_, n) => join(three.folder, `${n}`, 'jetstream'));
  const holders = () =>
    filesWith(
      folders.map((folder) => join(folder, '$G')),
      ['of-three-servers'],
    );
  await owner.append(bytes('of-three-servers'));
  await until('all to have it', () => holders().length === 3);
  await three.all[2]?.kill();
  const erased = async () => {
    await store.erase(store.subjectOf('copy', 'digest'), Number.POSITIVE_INFINITY);
    return true;
  };
  await until('the others to agree', () => erased().catch(() => undefined), 60_000);
  expect(holders().length).toBeLessThanOrEqual(1);
  await three.all[2]?.start();
  await until('no stream to have it', () => holders().length === 0, 60_000);
}, 400_000);
