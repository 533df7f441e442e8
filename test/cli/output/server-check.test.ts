import { expect, test } from 'vitest';
import { serverCheck } from '../../../src/cli/output/words/server-check.ts';

const rows = (...behind: string[]) =>
  ['n0', 'n1', 'n2'].map((server) => ({ server, current: !behind.includes(server) }));

test.each([
  [rows(), 'ok', 'All that machines keep is on n0, n1 and n2.'],
  [rows('n1'), 'warning', 'n1 has not all that machines keep on the nats-servers.'],
  [rows('n0', 'n1'), 'warning', 'n0 and n1 have not all that machines keep on the nats-servers.'],
  [null, 'warning', 'The nats-servers do not say which of them have all that machines keep there.'],
])('%j is said as %s', (servers, status, message) => {
  expect(serverCheck(servers)).toMatchObject({ name: 'nats', status, message });
});

test.each([[[]], [[{ server: 'n0', current: true }]]])('of %j nothing is said: it is alone', (servers) => {
  expect(serverCheck(servers)).toBeUndefined();
});
