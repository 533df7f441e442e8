// `limits.warmAtStart`: who writes first after a start of the bridge finds a Claude Code that runs.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';

/** Keys of the sessions of this bridge of which that was told, in order. */
const told = ({ bridge }: House, type: string): unknown[] =>
  bridge.lines.filter(({ event }) => event === type).map(({ session }) => session);

const readies = (house: House, count: number) =>
  until('the Claude Codes', () => told(house, 'agent.ready').length === count, 20_000);

async function used(house: House, ...names: string[]): Promise<void> {
  for (const name of names) await house.bridge.ask(name, 'hello');
}

test('after a restart the last used ones run before any message, which starts no other', async () => {
  await using house = await House.open('terminal', { limits: { warmAtStart: 2 } });
  expect(told(house, 'agent.wanted')).toEqual([]);
  await used(house, 'a', 'b', 'c', 'b');
  await house.command('down');
  await house.begin();
  await readies(house, 2);
  const warm = told(house, 'agent.ready');
  expect(warm).toEqual(['b', 'c']);
  expect(told(house, 'agent.wanted')).toEqual(warm);
  for (const name of ['b', 'c']) expect(await house.bridge.ask(name, 'again')).toContain('I remember');
  expect(told(house, 'agent.starting')).toEqual(warm);
  expect(await house.bridge.ask('a', 'again')).toContain('I remember');
  expect(told(house, 'agent.starting')).toHaveLength(3);
});

test('those that went on in their hosts need nothing', async () => {
  await using house = await House.open('terminal', { limits: { warmAtStart: 2 } });
  await used(house, 'a', 'b', 'c');
  await house.command('stop', 'b');
  await house.bridge.kill();
  await house.begin();
  await readies(house, 1);
  expect(told(house, 'agent.starting')).toEqual(['b']);
  await house.bridge.ask('c', 'again');
  expect(told(house, 'agent.starting')).toHaveLength(1);
});

test('no other Claude Code is ended for one, and they are ended when they are idle', async () => {
  await using house = await House.open('terminal', {
    limits: { warmAtStart: 3, liveSessions: 2 },
    timeouts: { idleMs: 2_000 },
  });
  await used(house, 'a', 'b', 'c');
  await house.command('down');
  await house.begin();
  await until('their ends', () => told(house, 'agent.exited').length === 2, 30_000);
  expect(told(house, 'agent.starting')).toHaveLength(2);
});

test('one that cannot be started is told once, and the next one is', async () => {
  await using house = await House.open('terminal', {
    limits: { warmAtStart: 2 },
    profiles: [{ match: 'gone', cwd: 'gone' }],
  });
  const folder = join(house.cwd, 'gone');
  mkdirSync(folder);
  await used(house, 'a', 'gone');
  await house.command('down');
  rmSync(folder, { recursive: true });
  await house.begin();
  await readies(house, 1);
  expect(told(house, 'agent.ready')).toEqual(['a']);
  const log = readFileSync(join(house.state, 'bridge.log'), 'utf8');
  expect(log.split('to be ready before its next message')).toHaveLength(2);
});

test('nothing is started while a panic holds', async () => {
  await using house = await House.open('terminal', { limits: { warmAtStart: 2 } });
  await used(house, 'a', 'b');
  await house.command('panic');
  await house.command('down');
  await house.begin();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect([told(house, 'agent.wanted'), told(house, 'agent.starting')]).toEqual([[], []]);
});
