// A conversation goes from one machine to another, with all that it is.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { newestEpoch } from '../support/copies.ts';
import { Nodes } from '../support/nodes.ts';

test('a conversation moves with what Claude knows, and goes on there', async () => {
  await using nodes = await Nodes.met(['mac', 'box']);
  await nodes.bridge('mac').ask('work', 'hello');
  await nodes.command('mac', 'rename', 'work', 'mine');
  const memory = async (name: string) =>
    (await nodes.json<{ memory: string }>(name, 'inspect', 'work', '--node', name)).memory;
  const left = await memory('mac');
  writeFileSync(join(left, 'MEMORY.md'), '- what Claude remembers');
  writeFileSync(join(left, 'large.md'), Buffer.alloc(2 * 1024 * 1024));
  expect((await nodes.command('mac', 'inspect', 'work')).stdout).toContain(
    'stays here   memory/large.md: with it',
  );
  const moved = await nodes.command('box', 'cluster', 'move', 'mine', 'box');
  expect(moved).toEqual({ code: 0, stdout: '', stderr: 'work lives on box now.' });
  for (const name of ['mac', 'box'])
    expect(await nodes.bridge(name).ask('work', '[[recall]]')).toContain('[user] hello');
  const there = await memory('box');
  expect(readdirSync(there)).toEqual(['MEMORY.md']);
  expect(readFileSync(join(there, 'MEMORY.md'), 'utf8')).toBe('- what Claude remembers');
  expect(readdirSync(left)).toEqual(['large.md']);
  const rows = JSON.parse((await nodes.command('mac', 'ps', '--json')).stdout);
  expect(rows).toMatchObject([{ key: 'work', label: 'mine', node: 'box' }]);
  expect(rows).toHaveLength(1);
  const told = await Promise.all(['mac', 'box'].map((name) => nodes.command(name, 'logs', '--node', name)));
  expect(told[0]?.stdout).toMatch(/work {2}goes to box/);
  expect(told[1]?.stdout).toMatch(/work {2}lives on this machine/);

  // What it has left where it lived before goes with it.
  const kept = async () => (await nodes.command('mac', 'journal', 'export')).stdout.includes('hello');
  expect(await kept()).toBe(true);
  expect((await nodes.command('mac', 'rm', 'work')).code).toBe(0);
  await until('what mac had of it to be gone', async () => !(await kept()), 20_000);
  expect([existsSync(left), existsSync(there)]).toEqual([false, false]);
});

test('a machine that is drained keeps what is at work or wanted there, and begins nothing until its next start', async () => {
  await using nodes = await Nodes.met(['mac', 'box'], 1, {
    config: { profiles: [{ match: 'ops', takeover: true }] },
  });
  const mac = nodes.bridge('mac');
  await mac.ask('work', 'hello');
  await mac.ask('ops', '[[bash:make deploy]]');
  expect(await nodes.command('box', 'cluster', 'move', 'work', 'mca')).toMatchObject({ code: 4 });
  const drained = await nodes.command('box', 'cluster', 'drain', '--node', 'mac', '--timeout', '1', '--json');
  expect(drained.code).toBe(7);
  expect(JSON.parse(drained.stdout)).toEqual({
    moved: [{ session: 'work', node: 'box' }],
    left: [{ session: 'ops', words: 'Claude is still at work in "ops".' }],
  });
  await nodes.sees('box', 'draining', 1);
  expect(await nodes.command('box', 'cluster', 'move', 'work', 'mac')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('Node "mac" gives its own conversations away.'),
  });
  await mac.ask('new', 'hello');
  const homes = async () => {
    const rows = await nodes.json<{ key: string; node: string }[]>('mac', 'ps');
    return rows.map(({ key, node }) => `${key} on ${node}`).sort();
  };
  expect(await homes()).toEqual(['new on box', 'ops on mac', 'work on box']);
  expect(await nodes.command('box', 'cluster', 'forget', 'mac', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Node "mac" is there.'),
  });
  await mac.end();
  await nodes.sees('box', 'stopped', 1);
  expect(await nodes.bridge('box').ask('ops', 'hello')).toContain('lives on mac, which is away');
  expect((await nodes.command('box', 'cluster', 'forget', 'mac')).code).toBe(2);
  const kept = () => newestEpoch(nodes.servers.urls, 'ops');
  expect(await kept()).toBeGreaterThan(0);
  const forgotten = await nodes.json('box', 'cluster', 'forget', 'mac', '--yes');
  expect([forgotten, await kept()]).toEqual([{ node: 'mac', conversations: 1 }, Number.NaN]);
  expect(await nodes.bridge('box').ask('ops', '[[recall]]')).not.toContain('deploy');
  await nodes.sees('box', 'stopped', 0);
  await nodes.begin('mac');
  await nodes.sees('box', 'alive', 1);
  await nodes.bridge('mac').ask('newer', 'hello');
  expect(await homes()).toContain('newer on mac');
});
