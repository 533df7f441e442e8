// What the doctor says of the sandbox that the configuration, or the user, has switched on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandbox } from '../../../src/bridge/doctor/claude/sandbox.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** @param programs of those of the sandbox, the ones that are there */
async function lines(config: object, programs: string[], own?: object): Promise<string[]> {
  const home = tempDir();
  for (const name of programs) writeFileSync(join(home, name), '#!/bin/sh\n', { mode: 0o700 });
  mkdirSync(join(home, '.claude'));
  if (own) writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ sandbox: own }));
  const options = {
    stateDir: join(home, 'state'),
    openclaw: 'openclaw',
    running: undefined,
    env: { HOME: home, PATH: home },
    config: Config.parse({ cwd: home, ...config }),
  };
  const found = await sandbox(options, new AbortController().signal);
  return found.map(({ status, message }) => `${status} ${message.replaceAll(home, '~')}`);
}

const both = ['bwrap', 'socat'];
const missing = "Claude Code's sandbox needs socat, not found on the PATH of the bridge.";

test('who wants none is told nothing', async () => {
  expect(await lines({}, [])).toEqual([]);
  expect(await lines({ sandbox: 'required', profiles: [{ match: '*', sandbox: 'off' }] }, [])).toEqual([]);
});

test('one that holds is said, one that cannot be there is a failure where it is required and a warning where not', async () => {
  expect(await lines({ sandbox: 'on' }, both)).toEqual([
    expect.stringMatching(/^ok Claude Code's sandbox can be used/),
  ]);
  expect(await lines({ sandbox: 'on' }, ['bwrap'])).toEqual([
    `warning Sessions with a sandbox run commands without one. ${missing}`,
  ]);
  expect(await lines({ profiles: [{ match: 'a*', sandbox: 'required' }] }, ['bwrap'])).toEqual([
    `failed Sessions that require a sandbox get no answer. ${missing}`,
  ]);
});

test('the one that the user has switched on is looked at, too', async () => {
  expect(await lines({}, both, { enabled: true })).toEqual([]);
  expect(await lines({}, ['bwrap'], { enabled: true })).toEqual([
    `warning The sandbox of ~/.claude/settings.json does not hold every command. ${missing}`,
  ]);
  expect(await lines({ sandbox: 'on' }, both, { excludedCommands: ['x'] })).toEqual([
    'warning Sessions with a sandbox run commands without one. `sandbox.excludedCommands` in ~/.claude/settings.json takes commands out of the sandbox.',
  ]);
});
