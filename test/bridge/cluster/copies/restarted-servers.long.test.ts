// What an owner has replaced, deleted and left lies there as it was once nats-servers were killed and read their logs anew.
import { connect } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { CopyStore } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { all, Line } from '../support/copies.ts';

const bytes = (text: string) => Buffer.from(text);

test('servers that were killed, all of them, have of each subject what was left in it', async () => {
  await using servers = await NatsServers.start(3);
  await using connection = await connect({
    servers: servers.urls,
    token: natsToken,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  const store = await until(
    'a quorum',
    () =>
      CopyStore.open(connection, 'synthesis', { replicas: 3, maxBytes: 8_000_000 }).catch(() => undefined),
    60_000,
  );
  const line = new Line(store);
  const [rows, file, other] = [
    line.owner(1),
    line.owner(1, 'file', 'file'),
    line.owner(1, 'other', 'copy', 'other'),
  ];
  for (let n = 0; n < 20; n += 1)
    for (const subject of [rows, file, other]) await subject.append(bytes(`${n}`));
  const lies = async () =>
    await Promise.all(
      (['copy/digest', 'file/digest', 'copy/other'] as const).map(async (name) => {
        const [kind, digest] = name.split('/') as ['copy' | 'file', string];
        const found = await all(store, store.subjectOf(kind, digest));
        return found.map(({ data }) => Buffer.from(data).toString().slice(0, 9));
      }),
    );
  await rows.forgetOlder(await rows.append(bytes('all')));
  await file.forgetOlder(await file.append(bytes('anew')));
  await other.append(bytes('more'));
  const before = await lies();
  expect(before.map((texts) => texts.length)).toEqual([1, 1, 21]);
  await Promise.all(servers.all.map((server) => server.kill()));
  await Promise.all(servers.all.map((server) => server.start()));
  const after = await until('a quorum', () => lies().catch(() => undefined), 60_000);
  expect(after).toEqual(before);
});
