import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf } from '../../../src/base/process/process-identity.ts';
import { hosts } from '../../../src/bridge/doctor/state/hosts.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** A state folder with the files of hosts, each started at its time. */
function stateWith(started: readonly string[], identity = identityOf(process.pid)): string {
  const stateDir = tempDir();
  for (const [n, at] of started.entries()) {
    const dir = join(stateDir, 'sessions', String(n));
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'host.json');
    writeFileSync(file, JSON.stringify({ run: 'r', ...identity, socket: '/s' }));
    utimesSync(file, new Date(at), new Date(at));
  }
  return stateDir;
}

const looked = (stateDir: string, running?: { url: string }) =>
  hosts({ config: Config.parse({}), stateDir, openclaw: '', env: {}, running }, new AbortController().signal);

const none = [
  { name: 'hosts', status: 'ok', message: 'No Claude Code goes on without a bridge.', suggestion: null },
];

test('without a bridge it says what goes on, since when, and what to do', async () => {
  expect(await looked(stateWith(['2026-11-24T20:13:00Z']))).toMatchObject([
    {
      status: 'ok',
      message:
        '1 Claude Code goes on: `synthesis up` takes it over, `synthesis down` ends it. It was started 2026-11-24 20:13 UTC.',
    },
  ]);
  expect(
    await looked(stateWith(['2026-11-24T20:13:00Z', '2026-11-23T07:01:00Z', '2026-11-24T09:00:00Z'])),
  ).toMatchObject([
    {
      status: 'ok',
      message:
        '3 Claude Codes go on: `synthesis up` takes them over, `synthesis down` ends them. The oldest was started 2026-11-23 07:01 UTC.',
    },
  ]);
});

test('what is not there does not go on, and of a bridge that runs it says nothing', async () => {
  expect(await looked(join(tempDir(), 'nowhere'))).toEqual(none);
  const now = new Date().toISOString();
  expect(await looked(stateWith([now], { pid: 2 ** 30, started: '1' }))).toEqual(none);
  expect(await looked(stateWith([now]), { url: 'http://127.0.0.1:1' })).toEqual([]);
});
