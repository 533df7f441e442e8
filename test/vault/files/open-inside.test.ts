import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NoteFileError } from '../../../src/vault/files/folder.ts';
import { OutsideError } from '../../../src/vault/files/inside.ts';
import { openInside, readInside } from '../../../src/vault/files/open-inside.ts';
import { VaultMissingError } from '../../../src/vault/files/vault-missing-error.ts';
import { fifo } from '../../support/planted.ts';
import { tempVault } from '../temp-vault.ts';

const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC } = constants;
const text = (root: string, name: string) => readInside(root, name, 1_000).toString();

/** A vault beside a folder with a secret. */
function besideSecret(): { root: string; outside: string } {
  const root = tempVault({ 'a.md': 'A', 'Projects/House/plan.md': 'plan' });
  const outside = join(root, '..', 'outside');
  mkdirSync(join(outside, 'House'), { recursive: true });
  for (const file of ['secret.md', 'plan.md', 'House/plan.md']) writeFileSync(join(outside, file), 'secret');
  return { root, outside };
}

test('notes are read, also deep ones, and when the vault itself is reached over a link', () => {
  const { root, outside } = besideSecret();
  expect([text(root, 'a.md'), text(root, './Projects/House/plan.md')]).toEqual(['A', 'plan']);
  symlinkSync(root, join(outside, 'vault'));
  expect(text(join(outside, 'vault'), 'Projects/House/plan.md')).toBe('plan');
});

test('no link is followed: at the end, on the way, into the vault itself, or to nowhere', () => {
  const { root, outside } = besideSecret();
  symlinkSync(join(outside, 'secret.md'), join(root, 'file.md'));
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync('../../outside', join(root, 'Projects', 'relative'));
  symlinkSync('a.md', join(root, 'own.md'));
  symlinkSync('/nowhere', join(root, 'nowhere.md'));
  symlinkSync('.', join(root, 'round'));
  const names = [
    'file.md',
    'folder/secret.md',
    'folder/House/plan.md',
    'Projects/relative/secret.md',
    'own.md',
    'nowhere.md',
    'round/a.md',
    'round/round/a.md',
  ];
  for (const name of names)
    for (const flags of [O_RDONLY, O_RDWR])
      expect(() => openInside(root, name, flags), name).toThrow(OutsideError);
  expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret');
});

test('what is hidden, and what is in node_modules, is not opened', () => {
  const hidden = [
    '.obsidian/app.json',
    '.env',
    'a/.git/config',
    'node_modules/x.md',
    'a/Node_Modules/x.md',
    'node_modules',
  ];
  const root = tempVault(Object.fromEntries(hidden.slice(0, -1).map((path) => [path, 'x'])));
  for (const name of hidden) expect(() => openInside(root, name, O_RDONLY), name).toThrow(OutsideError);
});

test('nobody waits for a FIFO, and neither a folder nor a device is a note', () => {
  const root = tempVault({ 'folder.md/a.md': 'x' });
  fifo(join(root, 'fifo.md'));
  for (const flags of [O_RDONLY, constants.O_WRONLY, O_RDWR])
    expect(() => openInside(root, 'fifo.md', flags)).toThrow('is not a plain file');
  expect(() => openInside(root, 'folder.md', O_RDONLY)).toThrow('is not a plain file');
  expect(() => openInside('/dev', 'null', O_RDONLY)).toThrow('is not a plain file');
});

test('it says in words, without the folders of the machine, what cannot be read', () => {
  const root = tempVault({ 'a.md': 'x' });
  const refused = (name: string, maxBytes = 10) => {
    try {
      return readInside(root, name, maxBytes).toString();
    } catch (error) {
      const { message, code } = error as NoteFileError;
      return [message, code];
    }
  };
  expect(refused('b.md')).toEqual(['"b.md" is not in the vault.', 'ENOENT']);
  expect(refused('b/c.md')).toEqual(['"b/c.md" is not in the vault.', 'ENOENT']);
  expect(refused('a.md/c.md')).toEqual(['"a.md/c.md" is not in the vault.', 'ENOTDIR']);
  expect(() => readInside(join(root, 'gone'), 'a.md', 10)).toThrow(VaultMissingError);
});

test('a note larger than asked for is refused, not cut', () => {
  const root = tempVault({ 'a.md': '12345' });
  expect(readInside(root, 'a.md', 5).toString()).toBe('12345');
  expect(() => readInside(root, 'a.md', 4)).toThrow(new NoteFileError('a.md', 'EFBIG').message);
  truncateSync(join(root, 'a.md'), 1_000_000_000_000);
  expect(() => readInside(root, 'a.md', 1_000_000)).toThrow('is too large');
});

test('nothing is created or emptied by opening it', () => {
  const root = tempVault({ 'a.md': 'x' });
  for (const flag of [O_CREAT, O_TRUNC])
    expect(() => openInside(root, 'a.md', O_RDWR | flag)).toThrow(RangeError);
  expect([readdirSync(root), text(root, 'a.md')]).toEqual([['a.md'], 'x']);
});

test('no descriptor is left open by what is refused', () => {
  const { root, outside } = besideSecret();
  symlinkSync(outside, join(root, 'folder'));
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  for (const name of ['folder/secret.md', 'none.md', 'Projects', 'Projects/House/none.md'])
    for (let turn = 0; turn < 20; turn += 1) expect(() => openInside(root, name, O_RDONLY)).toThrow();
  closeSync(openInside(root, 'Projects/House/plan.md', O_RDONLY));
  expect(open()).toBeLessThan(before + 10);
});

test('a second name that differs in case alone is another file where the disk says so', () => {
  const root = tempVault({ 'a.md': 'one' });
  linkSync(join(root, 'a.md'), join(root, 'A.MD'));
  expect([text(root, 'a.md'), text(root, 'A.MD')]).toEqual(['one', 'one']);
  expect(() => text(root, 'A.md')).toThrow('is not in the vault');
});
