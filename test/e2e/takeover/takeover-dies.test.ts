// A machine that takes over dies in that moment.
import { expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { ownersOf } from '../support/copies.ts';
import { insist } from '../support/insist.ts';
import { Nodes } from '../support/nodes.ts';

const sessions = Array.from({ length: 8 }, (_, at) => `chat ${at}`);

test('a machine that dies while it takes over goes on with all of it when it is back, also where somebody asks at once', async () => {
  await using nodes = await Nodes.met(['mac', 'box'], 1, { cluster: { takeover: true, leaseSeconds: 5 } });
  for (const session of sessions) await nodes.bridge('mac').ask(session, 'the first words');
  const { urls } = nodes.servers;
  await nodes.kill('mac');
  await until('a claim', () => ownersOf(urls, sessions).then((owners) => owners.includes('box')), 30_000);
  await nodes.kill('box');
  await nodes.begin('box');
  const known = sessions.map((session) => insist(nodes.bridge('box'), session, '[[recall]]'));
  expect(await Promise.all(known)).toEqual(sessions.map(() => expect.stringContaining('the first words')));
  await nodes.begin('mac');
  await nodes.sees('box', 'alive', 1);
  // It begins with what it had, and gives that up once it has looked whose it is.
  await until('nothing on mac', async () => {
    const rows = await nodes.json<unknown[]>('mac', 'ps', '--node', 'mac');
    return rows.length === 0;
  });
});
