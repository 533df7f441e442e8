import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDirectory, isClosedDirectory, UnsafePathError } from '../../src/base/files/own-path.ts';
import { claimFile, openPrivate, readPrivate, writePrivate } from '../../src/base/files/private-file.ts';
import { fifo, folder, hardLink, linkToFile, linkToFolder, linkToNothing } from '../support/planted.ts';

let dir: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0);
  dir = join(mkdtempSync(join(tmpdir(), 'private-')), 'state');
  mkdirSync(dir, { mode: 0o700 });
});
afterEach(() => {
  process.umask(umask);
  rmSync(join(dir, '..'), { recursive: true, force: true });
});
const mode = (path: string) => statSync(path).mode & 0o777;
const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND } = constants;
const isRoot = process.geteuid?.() === 0;

const ways = {
  'opened for reading': (path: string) => openPrivate(path, O_RDONLY),
  'opened for writing': (path: string) => openPrivate(path, O_WRONLY | O_CREAT | O_APPEND),
  read: readPrivate,
  claimed: claimFile,
};
const plants = { linkToFile, linkToNothing, linkToFolder, hardLink, fifo, folder };

test.each(Object.entries(ways))(
  'what is no file of ours alone is not %s, and what it leads to stays',
  (_, use) => {
    for (const [name, plant] of Object.entries(plants)) {
      const path = join(dir, name);
      const untouched = plant(path);
      expect(() => use(path), name).toThrow(UnsafePathError);
      expect([name, untouched()]).toEqual([name, true]);
    }
  },
);

test.each(Object.entries({ linkToFile, linkToNothing, hardLink, fifo }))(
  'a file is written in the place of a %s, not through it',
  (_, plant) => {
    const path = join(dir, 'f');
    const untouched = plant(path);
    writePrivate(path, 'ours');
    expect([readFileSync(path, 'utf8'), mode(path)]).toEqual(['ours', 0o600]);
    expect(plant === fifo || untouched()).toBe(true);
    expect(readdirSync(dir)).toEqual(['f']);
  },
);

test('a file is replaced whole and leaves nothing behind; a folder in its place is refused in words', () => {
  writePrivate(join(dir, 'f'), 'old');
  writePrivate(join(dir, 'f'), 'new');
  expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('new');
  mkdirSync(join(dir, 'g'));
  expect(() => writePrivate(join(dir, 'g'), 'x')).toThrow('is not a plain file');
  expect(readdirSync(dir)).toEqual(['f', 'g']);
});

test('what is opened for writing is 0600 from birth, and made so when it was not; reading changes nothing', () => {
  const path = join(dir, 'f');
  closeSync(openPrivate(path, O_WRONLY | O_CREAT));
  expect(mode(path)).toBe(0o600);
  chmodSync(path, 0o644);
  closeSync(openPrivate(path, O_RDONLY));
  expect(mode(path)).toBe(0o644);
  closeSync(openPrivate(path, O_WRONLY));
  expect(mode(path)).toBe(0o600);
});

test('a second name in the same folder is our own doing, and no reason to refuse', () => {
  writePrivate(join(dir, 'journal.db'), 'rows');
  linkSync(join(dir, 'journal.db'), join(dir, 'journal.db.corrupt'));
  expect(claimFile(join(dir, 'journal.db'))).toBe(4);
});

test('a missing file is nothing to read', () => {
  expect([readPrivate(join(dir, 'none')), claimFile(join(dir, 'none'))]).toEqual([undefined, undefined]);
});

// Only root can give a file away.
test.runIf(isRoot)('a file or folder of another user is refused', () => {
  writeFileSync(join(dir, 'f'), 'theirs', { mode: 0o666 });
  chownSync(join(dir, 'f'), 12345, 12345);
  for (const use of Object.values(ways)) expect(() => use(join(dir, 'f'))).toThrow('another user');
  chownSync(dir, 12345, 12345);
  expect(() => claimDirectory(dir)).toThrow('another user');
});

test('a folder is made closed, with every folder above it that was missing, and one that is open is closed', () => {
  const path = claimDirectory(join(dir, 'a/b'));
  expect([mode(path), mode(join(dir, 'a'))]).toEqual([0o700, 0o700]);
  chmodSync(path, 0o777);
  expect(() => isClosedDirectory(path)).toThrow(`${path} is open to others (0777)`);
  expect(mode(claimDirectory(path))).toBe(0o700);
  expect([isClosedDirectory(path), isClosedDirectory(join(dir, 'none'))]).toEqual([true, false]);
});

test('a link in the place of a folder is refused, with a slash behind it, too', () => {
  symlinkSync(tmpdir(), join(dir, 'sessions'));
  for (const name of ['sessions', 'sessions/'])
    expect(() => claimDirectory(`${dir}/${name}`)).toThrow('is a symbolic link');
});
