// Several machines, each with a bridge of its own, that are one for people and for clients.
import { expect, test } from 'vitest';
import { Nodes } from './support/nodes.ts';

test('a conversation lives where it began, and each port leads to it', async () => {
  await using nodes = await Nodes.up(['mac', 'box']);
  expect(await nodes.bridge('mac').ask('work', 'hello')).toContain('hello');
  expect(await nodes.bridge('box').ask('work', '[[recall]]')).toContain('hello');
});
