// What is of no use any more on the servers is not to be read in their files either: not only taken out of the stream.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect } from 'vitest';
import { filesWith } from '../../../support/bytes-on-disk.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { Copied, freshStore, Line } from '../support/copies.ts';

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
