// What keeps Claude Code from being contained, found before it is started, and what is tried from inside.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { containFault, folderAtFault } from '../../../../src/bridge/claude/contain/contain-fault.ts';
import { tryInside } from '../../../../src/bridge/claude/contain/try-inside.ts';
import { containAccess } from '../../../../src/bridge/contain-access.ts';
import { Config } from '../../../../src/protocol/settings/config.ts';
import { tempDir } from '../../journal/temp-dir.ts';

/** A `bwrap` that does this instead. */
function bwrap(text: string): string {
  const dir = tempDir();
  writeFileSync(join(dir, 'bwrap'), `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  symlinkSync('/bin/sh', join(dir, 'sh'));
  return dir;
}
/** Without a wall: runs what stands behind `--`. */
const noWall = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

test('bubblewrap has to be there, and to be let', async () => {
  expect(await containFault({ PATH: bwrap('exit 0') }, 'linux')).toBeUndefined();
  expect(await containFault({ PATH: tempDir() }, 'linux')).toMatchObject({
    words: expect.stringContaining('not found'),
    remedy: expect.stringContaining('apt-get install bubblewrap'),
  });
  expect(await containFault({ PATH: bwrap('exit 1') }, 'linux')).toMatchObject({
    words: expect.stringContaining('ended with exit code 1'),
    remedy: expect.stringContaining('user namespaces'),
  });
  expect(await containFault({}, 'darwin')).toMatchObject({ words: expect.stringContaining('Linux only') });
});

test('a work folder that holds the home folder is none, however it is spelled', () => {
  const home = tempDir();
  mkdirSync(join(home, 'work'));
  symlinkSync(home, join(home, 'work/link'));
  const at = (folder: string) => folderAtFault(folder, { HOME: home })?.words;
  expect(at(join(home, 'work'))).toBeUndefined();
  for (const folder of [home, join(home, 'work/link'), '/', join(home, 'work/..')])
    expect(at(folder)).toContain('holds your home folder');
});

test('a trial finds what works from inside, and that nothing does', async () => {
  const home = tempDir();
  for (const name of ['work', 'state']) mkdirSync(join(home, name));
  writeFileSync(join(home, 'state/token'), 'secret');
  const env = { HOME: home, PATH: process.env.PATH };
  const own = {
    stateDir: join(home, 'state'),
    files: [],
    claude: { folder: join(home, '.claude'), credentials: '', kept: [] },
  };
  const access = containAccess(Config.parse({}), '', {
    own,
    controlPath: join(home, 'state/control.sock'),
    env,
  });
  const room = { access, cwd: join(home, 'work'), programs: [process.execPath] };
  const targets = { control: undefined, token: join(home, 'state/token'), pid: process.pid };
  expect(await tryInside(join(bwrap(noWall), 'bwrap'), room, targets)).toEqual({
    worked: [
      'reads the token of the bridge',
      'writes to your home folder',
      'writes beside its work folder',
      'signals the bridge',
      'sees processes of yours',
    ],
    tried: 5,
    writes: true,
  });
  expect(await tryInside(join(bwrap('exit 1'), 'bwrap'), room, targets)).toEqual({
    words: expect.stringContaining('exit code 1'),
  });
  // As it is on this machine: a machine that lets nobody make namespaces says so, and no less.
  const fault = await containFault(env);
  const trial = await tryInside('bwrap', room, targets);
  expect(trial).toEqual(fault ? { words: expect.anything() } : { worked: [], tried: 5, writes: true });
});
