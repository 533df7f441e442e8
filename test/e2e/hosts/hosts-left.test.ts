// `synthesis down` leaves no host behind: neither of a bridge that runs, nor of one that was killed before.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../../src/base/process/process-identity.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

/** From the end of `down`: a minute was asked for. */
const leftMs = 5_000;

test.each([
  ['of a bridge that runs', false],
  ['of a bridge that was killed', true],
])('no host %s is left', async (_, isKilled) => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask('one', 'hello');
  bridge.ask('two', '[[hang]]').catch(() => {});
  const runs = () => bridge.lines.some(({ event, session }) => event === 'turn.running' && session === 'two');
  await until('a turn', runs, 20_000);
  const sessions = join(home.state, 'sessions');
  const hosts = readdirSync(sessions).map(
    (name) => JSON.parse(readFileSync(join(sessions, name, 'host.json'), 'utf8')) as HostFile,
  );
  expect(hosts.map(isAlive)).toEqual([true, true]);
  if (isKilled) await bridge.kill();
  const down = await home.command('down');
  expect(down.code, down.stderr).toBe(0);
  await until('the end of every host', () => !hosts.some(isAlive), leftMs);
});
