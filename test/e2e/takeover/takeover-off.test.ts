// What is kept on the servers for a takeover goes when nobody wants it any more.
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished } from 'vitest';
import { filesWith } from '../../support/bytes-on-disk.ts';
import { natsToken } from '../../support/nats.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Nodes } from '../support/nodes.ts';

test('what is not to be taken over any more is taken off the servers', async () => {
  await using nodes = await Nodes.met(['mac'], 1, { cluster: { takeover: true, leaseSeconds: 3 } });
  const connection = await connect({ servers: nodes.servers.urls, token: natsToken });
  onTestFinished(() => connection.close());
  const { streams } = await jetstream(connection).jetstreamManager(false);
  const kept = async () => (await streams.info('COPY_synthesis')).state.messages;

  const text = 'viridian-4716';
  const isOnServers = () => filesWith([nodes.servers.folder], [text]).length > 0;
  await nodes.bridge('mac').ask('work', text);
  await nodes.bridge('mac').ask('gone', 'hello');
  const both = await kept();
  await nodes.command('mac', 'rm', 'gone');
  await until('the removed one to be gone', async () => (await kept()) < both);
  expect(await kept()).toBeGreaterThan(0);
  expect(isOnServers()).toBe(true);

  await nodes.bridge('mac').end();
  await nodes.begin('mac', 'mac', { cluster: { takeover: false } });
  await until('all of it to be gone', async () => (await kept()) === 0);
  expect(await nodes.bridge('mac').ask('work', '[[recall]]')).toContain(text);
  expect(await kept()).toBe(0);
  expect(isOnServers()).toBe(false);
});
