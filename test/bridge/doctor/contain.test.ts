// What the doctor says of a wall that the configuration wants.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { contain } from '../../../src/bridge/doctor/claude/contain.ts';
import { callers } from '../../../src/bridge/doctor/state/callers.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** @param bwrap a shell script in its place; nothing for none */
function optionsOf(config: object, bwrap?: string) {
  const home = tempDir();
  for (const name of ['work', 'bin']) mkdirSync(join(home, name));
  if (bwrap !== undefined) writeFileSync(join(home, 'bin/bwrap'), `#!/bin/sh\n${bwrap}\n`, { mode: 0o700 });
  symlinkSync('/bin/sh', join(home, 'bin/sh'));
  return {
    stateDir: join(home, 'state'),
    openclaw: 'openclaw',
    running: undefined,
    env: { HOME: home, PATH: `${join(home, 'bin')}:${dirname(process.execPath)}` },
    config: Config.parse({ cwd: join(home, 'work'), ...config }),
  };
}

async function lines(config: object, bwrap?: string): Promise<string[]> {
  const found = await contain(optionsOf(config, bwrap), new AbortController().signal);
  return found.map(({ status, message }) => `${status} ${message}`);
}

const says = (trial: object) => `case "$*" in *-e*) echo '${JSON.stringify(trial)}';; esac`;
const held = says({ worked: [], tried: 6, writes: true });

test('who wants none is told nothing', async () => {
  expect(await lines({})).toEqual([]);
  expect(await lines({ contain: 'required', profiles: [{ match: '*', contain: 'off' }] })).toEqual([]);
});

test('one that cannot be is a failure where it is required, and a warning where not', async () => {
  const missing = 'bubblewrap (`bwrap`) was not found on the PATH of the bridge.';
  expect(await lines({ contain: 'required' })).toEqual([
    `failed Sessions that are to be contained get no answer. ${missing}`,
  ]);
  expect(await lines({ profiles: [{ match: 'a*', contain: 'on' }] })).toEqual([
    `warning Sessions that are to be contained run as you. ${missing}`,
  ]);
  const [home] = await lines({ contain: 'required', cwd: '/' }, held);
  expect(home).toMatch(/^failed .*holds your home folder/);
});

test('what holds is said, with the price of what is let in; what does not hold is a failure', async () => {
  expect(await lines({ contain: 'on' }, held)).toEqual([
    'ok Tried from inside: 6 ways out are closed, and the work folder can be written to.',
  ]);
  expect(await lines({ contain: 'on', containLet: ['docker'] }, held)).toEqual([
    expect.stringMatching(/^ok/),
    'warning `containLet` lets in docker: whoever reaches it is root on this machine.',
  ]);
  const leaky = says({ worked: ['signals the bridge'], tried: 6, writes: true });
  expect(await lines({ contain: 'on' }, leaky)).toEqual([
    'failed A contained program signals the bridge all the same.',
  ]);
  expect(await lines({ contain: 'on' }, says({ worked: [], tried: 6, writes: false }))).toEqual([
    expect.stringMatching(/^warning The work folder .* cannot be written to from inside/),
  ]);
});

test('the level is said of a machine on which every session is contained', async () => {
  const levelOf = async (config: object) =>
    (await callers(optionsOf(config), new AbortController().signal)).map(({ message }) => message).join();
  expect(await levelOf({ contain: 'required' })).toContain(
    'reaches neither the bridge nor your other programs',
  );
  for (const config of [{}, { contain: 'required', profiles: [{ match: 'a*', contain: 'off' }] }])
    expect(await levelOf(config)).not.toContain('reaches neither');
});
