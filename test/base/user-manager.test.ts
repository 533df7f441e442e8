import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findUserManager } from '../../src/base/process/user-manager.ts';
import { tempDir } from '../bridge/journal/temp-dir.ts';

const { uid, username } = userInfo();
const places = {
  socket: `run/user/${uid}/systemd/private`,
  bus: `run/user/${uid}/bus`,
  linger: `var/lib/systemd/linger/${username}`,
  units: 'proc/self/cgroup',
};

/** A system with these files. */
function system(files: Partial<Record<keyof typeof places, string>>): string {
  const root = tempDir();
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, places[name as keyof typeof places]);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return root;
}

const service = `0::/user.slice/user-${uid}.slice/user@${uid}.service/app.slice/synthesis.service\n`;
const login = `0::/user.slice/user-${uid}.slice/session-3.scope\n`;

test.each<[string, Parameters<typeof system>[0], object | undefined]>([
  ['none', { units: login }, undefined],
  ['one that lingers', { socket: '', linger: '', units: login }, { lingers: true, hasUs: false }],
  ['one that has this process', { socket: '', units: service }, { lingers: false, hasUs: true }],
  ['one beside it', { socket: '', units: login }, { lingers: false, hasUs: false }],
  ['one on the bus alone', { bus: '', units: service }, { lingers: false, hasUs: true }],
  ['the one of somebody else', { socket: '', units: `0::/user@${uid}9.service/a.scope\n` }, { hasUs: false }],
  ['one of which no more can be read', { socket: '' }, { lingers: false, hasUs: false }],
])('%s is found where systemd has it', (_, files, found) => {
  const root = system(files);
  const runtimeDir = join(root, `run/user/${uid}`);
  const expected = found && expect.objectContaining({ runtimeDir, ...found });
  expect(findUserManager({}, root)).toEqual(expected);
  expect(findUserManager({ XDG_RUNTIME_DIR: runtimeDir }, root)).toEqual(expected);
  expect(findUserManager({ XDG_RUNTIME_DIR: join(root, 'elsewhere') }, root)).toBeUndefined();
});
