import { expect, test } from 'vitest';
import { nodeName } from '../../../src/cli/commands/cluster/up.ts';
import { NodeName } from '../../../src/protocol/cluster/cluster.ts';

test.each([
  ['Alices-MacBook-Pro.local', 'alices-macbook-pro'],
  ['box', 'box'],
  ['_my_host_', 'my-host'],
  [`${'x'.repeat(31)}-y`, 'x'.repeat(31)],
  ['Rechner-Büro', 'rechner-b-ro'],
  ['', 'first'],
  ['.local', 'first'],
])('a machine that calls itself %j is the node %j', (host, node) => {
  expect(nodeName(host)).toBe(node);
  expect(NodeName.safeParse(node).success).toBe(true);
});
