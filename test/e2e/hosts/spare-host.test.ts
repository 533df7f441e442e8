// A bridge has one host in reserve. It makes a cold start shorter, and is in nobody's way whatever becomes of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { hostFolders } from '../../../src/bridge/terminal/host-folders.ts';
import { until } from '../../support/until.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { House } from '../support/house.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const debug = { log: { level: 'debug' } };

/** Pids of those that have waited, oldest first. */
function waited({ state }: House): number[] {
  const log = readFileSync(join(state, 'bridge.log'), 'utf8');
  return [...log.matchAll(/"a spare host waits","pid":(\d+)/g)].map(([, pid]) => Number(pid));
}

const nth = (house: House, count: number): Promise<number> =>
  until('a spare host', () => waited(house)[count - 1], 20_000);

const hosts = ({ state }: House): number[] =>
  hostFolders(join(state, 'sessions')).map(({ file }) => file.pid);

const gone = (pid: number) => until('the end of the spare host', () => !isRunning(pid));

test('each cold start takes it, another one is there for the next, and nobody counts it', async () => {
  await using house = await House.open('terminal', debug);
  const first = await nth(house, 1);
  expect(hosts(house)).toEqual([]);
  await house.bridge.ask('s', 'hello');
  expect(hosts(house)).toEqual([first]);
  const second = await nth(house, 2);
  const { stdout } = await house.command('ps', '--json');
  expect(stdout).not.toMatch(/host_without_session|session_without_host/);
  await house.bridge.ask('t', 'hello');
  expect(hosts(house).sort()).toEqual([first, second].sort());
});

test('one that is killed costs no message', async () => {
  await using house = await House.open('terminal', debug);
  const pid = await nth(house, 1);
  process.kill(pid, 'SIGKILL');
  expect(await house.bridge.ask('s', 'hello')).toContain('hello');
  expect(hosts(house)).not.toContain(pid);
});

test('one that hangs keeps a message waiting for a second', async () => {
  await using house = await House.open('terminal', debug);
  const pid = await nth(house, 1);
  process.kill(pid, 'SIGSTOP');
  expect(await house.bridge.ask('s', 'hello')).toContain('hello');
  expect(hosts(house)).not.toContain(pid);
  await gone(pid);
});

test.each<[string, (house: House) => Promise<unknown>]>([
  ['is killed', (house) => house.bridge.kill()],
  ['keeps its Claude Codes', (house) => house.command('down', '--keep')],
  ['ends them', (house) => house.command('down')],
])('a bridge that %s leaves none behind', async (_, end) => {
  await using house = await House.open('terminal', debug);
  await nth(house, 1);
  await house.bridge.ask('s', 'hello');
  const second = await nth(house, 2);
  await end(house);
  await gone(second);
  await house.command('down');
});

test('a panic ends it, and one is there again when it is over', async () => {
  await using house = await House.open('terminal', debug);
  const first = await nth(house, 1);
  await house.command('panic');
  await gone(first);
  await house.killed();
  await wait(3_000);
  expect(waited(house)).toEqual([first]);
  await atTerminal(house, ['resume', '-y']);
  expect(isRunning(await nth(house, 2))).toBe(true);
});

test('with hosts.spare off there is none', async () => {
  await using house = await House.open('terminal', { ...debug, hosts: { spare: false } });
  await wait(3_000);
  await house.bridge.ask('s', 'hello');
  expect(waited(house)).toEqual([]);
});
