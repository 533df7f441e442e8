// What the reference says of the bytes of a message that is taken out of a stream, tried on a real nats-server.
import { readFileSync } from 'node:fs';
import { type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { filesWith } from '../support/bytes-on-disk.ts';
import { NatsServers, natsToken } from '../support/nats.ts';
import { natsTest as test } from '../support/nats-test.ts';

/** By a word of the first cell: what takes a message out. */
const ways: Record<string, (manager: JetStreamManager, seq: number) => Promise<unknown>> = {
  '`no_erase: true`': ({ streams }, seq) => streams.deleteMessage('S', seq, false),
  'without `no_erase`': ({ streams }, seq) => streams.deleteMessage('S', seq, true),
  '`STREAM.PURGE` of a subject': ({ streams }) => streams.purge('S', { filter: 's.purged' }),
};

/** @returns undefined for a cell that says neither */
function staysBy(cell: string): boolean | undefined {
  if (cell.startsWith(' stay')) return true;
  return cell.startsWith(' are overwritten') ? false : undefined;
}

test('each way to take a message out leaves or overwrites its bytes as the table says', async () => {
  await using servers = await NatsServers.start();
  await using connection = await connect({ servers: servers.urls, token: natsToken });
  const client = jetstream(connection);
  const manager = await client.jetstreamManager();
  await manager.streams.add({ name: 'S', subjects: ['s.*'], allow_rollup_hdrs: true });
  await manager.streams.add({ name: 'L', subjects: ['limited.*'], max_msgs_per_subject: 1 });
  // A file of which nothing is left is deleted as a whole.
  await client.publish('s.stays', 'something else');
  const isThere = (text: string) => filesWith([servers.folder], [text]).length > 0;
  const measured: Record<string, boolean> = {};
  for (const [n, [name, act]] of Object.entries(ways).entries()) {
    const text = `way-${n}-of-taking-out`;
    const { seq } = await client.publish('s.purged', text);
    expect([name, isThere(text)]).toEqual([name, true]);
    await act(manager, seq);
    measured[name] = isThere(text);
  }
  const rollUp = headers();
  rollUp.set('Nats-Rollup', 'sub');
  await client.publish('s.rolled', 'what-is-rolled-up');
  await client.publish('s.rolled', 'all', { headers: rollUp });
  measured['a roll-up'] = isThere('what-is-rolled-up');
  await client.publish('limited.a', 'an-older-value');
  await client.publish('limited.a', 'a-newer-value');
  measured.max_msgs_per_subject = isThere('an-older-value');

  const reference = readFileSync(new URL('../../docs/reference/cluster.md', import.meta.url), 'utf8');
  const rows = reference.split('\n').filter((line) => line.startsWith('|'));
  const told = Object.fromEntries(
    Object.keys(measured).map((name) => {
      const cells = rows.find((row) => row.split('|')[1]?.includes(name))?.split('|') ?? [];
      return [name, staysBy(cells[2] ?? '')];
    }),
  );
  expect(told).toEqual(measured);
  expect(Object.values(measured).filter((stays) => !stays)).toHaveLength(1);
});
