// A conversation goes from one machine to another, with all that it is.
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Nodes } from './support/nodes.ts';

test('a conversation moves with what Claude knows, and goes on there', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  await nodes.bridge('mac').ask('work', 'hello');
  await nodes.command('mac', 'rename', 'work', 'mine');
  const moved = await nodes.command('box', 'cluster', 'move', 'mine', 'box');
  expect(moved).toEqual({ code: 0, stdout: '', stderr: 'work lives on box now.' });
  for (const name of ['mac', 'box'])
    expect(await nodes.bridge(name).ask('work', '[[recall]]')).toContain('[user] hello');
  const rows = JSON.parse((await nodes.command('mac', 'ps', '--json')).stdout);
  expect(rows).toMatchObject([{ key: 'work', label: 'mine', node: 'box' }]);
  expect(rows).toHaveLength(1);

  // What it has left where it lived before goes with it.
  const kept = async () => (await nodes.command('mac', 'journal', 'export')).stdout.includes('hello');
  expect(await kept()).toBe(true);
  expect((await nodes.command('mac', 'rm', 'work')).code).toBe(0);
  await until('what mac had of it to be gone', async () => !(await kept()), 20_000);
});
