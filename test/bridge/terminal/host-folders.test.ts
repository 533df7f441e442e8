// What counts as a host in the state folder.
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf } from '../../../src/base/process/process-identity.ts';
import { hostFolders } from '../../../src/bridge/terminal/host-folders.ts';
import { tempDir } from '../journal/temp-dir.ts';

const alive = { run: 'r1', ...identityOf(process.pid), socket: '/nowhere/host.sock' };

function folder(sessions: string, name: string, content: unknown): string {
  const dir = join(sessions, name);
  mkdirSync(dir, { mode: 0o700 });
  writeFileSync(join(dir, 'host.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return dir;
}

const names = (sessions: string) => hostFolders(sessions).map(({ name }) => name);

test('a host is what names a process that is there', () => {
  const sessions = tempDir();
  folder(sessions, 'alive', alive);
  mkdirSync(join(sessions, 'none'));
  expect(hostFolders(sessions)).toEqual([{ name: 'alive', file: alive }]);
  expect(hostFolders(join(sessions, 'nowhere'))).toEqual([]);
});

test.each<[what: string, content: unknown]>([
  ['a process that has gone', { ...alive, pid: 2 ** 30 }],
  ['another process that has the pid by now', { ...alive, started: '1' }],
  ['no JSON', 'not JSON'],
  ['null', 'null'],
  ['a list', []],
  ['no pid', { ...alive, pid: undefined }],
  ['a pid in words', { ...alive, pid: String(process.pid) }],
  ['every process', { ...alive, pid: -1, started: '' }],
  ['a group of processes', { ...alive, pid: 0, started: '' }],
  ['no run', { ...alive, run: undefined }],
  ['a socket that is none', { ...alive, socket: 7 }],
])('what names %s is none', (_, content) => {
  const sessions = tempDir();
  folder(sessions, 'left', content);
  expect(hostFolders(sessions)).toEqual([]);
});

test('neither a link nor a second name elsewhere is followed, nor a folder of links', () => {
  const home = tempDir();
  const sessions = join(home, 'sessions');
  mkdirSync(sessions);
  const place = (name: string) => folder(home, name, alive);
  symlinkSync(place('linked'), join(sessions, 'folder'));
  for (const link of [symlinkSync, linkSync]) {
    mkdirSync(join(sessions, link.name));
    link(join(place(link.name), 'host.json'), join(sessions, link.name, 'host.json'));
  }
  expect(names(sessions)).toEqual([]);
  folder(sessions, 'alive', alive);
  expect(names(sessions)).toEqual(['alive']);
  renameSync(sessions, join(home, 'moved'));
  symlinkSync(join(home, 'moved'), sessions);
  expect(names(sessions)).toEqual([]);
});
