import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInside } from '../../../src/vault/files/open-inside.ts';
import { VaultMissingError } from '../../../src/vault/files/vault-missing-error.ts';
import { walkNotes } from '../../../src/vault/files/walk.ts';
import { fifo } from '../../support/planted.ts';
import { putFile, tempVault } from '../temp-vault.ts';

const all = { include: ['**/*.md'], exclude: [] };
const vaultOf = (...paths: string[]) => tempVault(Object.fromEntries(paths.map((path) => [path, 'x'])));
const pathsIn = (root: string, settings: { include: string[]; exclude: string[] } = all) => [
  ...walkNotes(root, settings).notes.keys(),
];

test('notes are found in all folders, sorted by path; other files, hidden ones and node_modules are not', () => {
  const root = vaultOf(
    'b.md',
    'a/z.md',
    'a/b/c.md',
    'a b.md',
    'x.txt',
    'x.MD',
    '.hidden.md',
    '.obsidian/a.md',
    'node_modules/m/a.md',
    'a/Node_Modules/a.md',
    'Ä.md',
  );
  expect(pathsIn(root)).toEqual(['a b.md', 'a/b/c.md', 'a/z.md', 'b.md', 'Ä.md']);
  expect(walkNotes(root, all).skipped).toEqual([]);
});

test.each(['Private', 'Private/', 'Private/**', '/Private/**', './Private', '**/Private/**', 'P*/**', 'P*'])(
  'who excludes %j has all below that folder left alone',
  (pattern) => {
    const root = vaultOf('Private/a.md', 'Private/b/c.md', 'Public.md', 'b/a.md');
    const found = pathsIn(root, { include: ['**/*.md'], exclude: [pattern] });
    expect(found.filter((path) => path.startsWith('Private/'))).toEqual([]);
    expect(found).toContain('b/a.md');
  },
);

test('what is excluded is not even looked into', () => {
  const root = vaultOf('Private/a.md', 'b.md');
  symlinkSync('/etc', join(root, 'Private', 'link'));
  symlinkSync('/etc', join(root, 'link'));
  const { notes, skipped } = walkNotes(root, { include: ['**/*.md'], exclude: ['Private/**'] });
  expect([[...notes.keys()], skipped]).toEqual([['b.md'], [{ path: 'link', words: 'is a link' }]]);
});

test('patterns are of paths, case counts, and a negated one leaves alone all but what it names', () => {
  const root = vaultOf('a.md', 'b/a.md', 'b/c/a.md', 'b/a.txt', 'B2/a.md');
  expect(pathsIn(root, { include: ['b/*.md', '**/*.txt'], exclude: [] })).toEqual(['b/a.md', 'b/a.txt']);
  expect(pathsIn(root, { include: ['**'], exclude: ['*.md', 'b/c/**'] })).toEqual([
    'B2/a.md',
    'b/a.md',
    'b/a.txt',
  ]);
  expect(pathsIn(root, { include: ['**/*.md'], exclude: ['!b/c/**'] })).toEqual(['b/c/a.md']);
  expect(pathsIn(root, { include: ['**/*.md'], exclude: ['b2'] })).toContain('B2/a.md');
});

test('a folder is excluded however its accents are written', () => {
  const root = vaultOf('Übung/a.md'.normalize('NFD'), 'b.md');
  expect(pathsIn(root, { include: ['**/*.md'], exclude: ['Übung'.normalize('NFC')] })).toEqual(['b.md']);
});

test('links, FIFOs and what only looks like a note are no notes', () => {
  const root = vaultOf('a.md', 'folder.md/b.md');
  symlinkSync('a.md', join(root, 'link.md'));
  symlinkSync('..', join(root, 'folder.md', 'up'));
  fifo(join(root, 'fifo.md'));
  const { notes, skipped } = walkNotes(root, all);
  expect([...notes.keys()]).toEqual(['a.md', 'folder.md/b.md']);
  expect(skipped.map(({ path }) => path)).toEqual(['folder.md/up', 'link.md']);
});

test('names of all kinds are found and can be read; those that no path may have are skipped in words', () => {
  const long = `${'é'.repeat(126)}.md`;
  const root = vaultOf(
    '🏠 家.md',
    long,
    'a\nb.md',
    'trailing./a.md',
    'a\\b.md',
    'con.md',
    '\u2215.md',
    'a: b.md',
  );
  writeFileSync(
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff, 0xfe]), Buffer.from('.md')]),
    'x',
  );
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]));
  const { notes, skipped } = walkNotes(root, all);
  for (const path of notes.keys()) expect(readInside(root, path, 10).toString()).toBe('x');
  expect([...notes.keys()].toSorted()).toEqual(['a: b.md', long, '🏠 家.md'].toSorted());
  expect(Object.fromEntries(skipped.map(({ path, words }) => [path, words]))).toEqual({
    'a\nb.md': 'holds control characters',
    'a\\b.md': 'holds a backslash; folders stand behind `/`',
    'trailing.': 'has a part that ends with a dot or a blank',
    'con.md': 'has a part that is the name of a device',
    '\u2215.md': 'is written so that a reader may take it for a path that leads out of the vault',
    'a\ufffd\ufffd.md': 'has a name that is not valid UTF-8',
    '\ufffd': 'has a name that is not valid UTF-8',
  });
});

test('a stamp is another one when a note was written, replaced or touched, and the same when nothing happened', () => {
  const root = vaultOf('a.md');
  const file = join(root, 'a.md');
  const stamp = () => walkNotes(root, all).notes.get('a.md');
  const first = stamp();
  expect([stamp(), first?.size]).toEqual([first, 1]);
  const marks = [first?.mark];
  const changes = [
    () => appendFileSync(file, 'y'),
    () => utimesSync(file, 1, 1),
    () => {
      writeFileSync(join(root, 'new'), 'xy');
      utimesSync(join(root, 'new'), 1, 1);
      renameSync(join(root, 'new'), file);
    },
  ];
  for (const change of changes) {
    change();
    marks.push(stamp()?.mark);
  }
  expect(new Set(marks).size).toBe(4);
  expect(stamp()).toMatchObject({ size: 2, mtimeMs: 1_000 });
});

test('where there are too many, or too deep ones, it says so and keeps what it has', () => {
  const root = vaultOf('a.md', 'b.md', 'c.md', 'd/e/f/g.md');
  const limits = { files: 10, entries: 100, depth: 2 };
  const walk = (changed: Partial<typeof limits>) => walkNotes(root, all, { ...limits, ...changed });
  expect(walk({}).skipped).toEqual([{ path: 'd/e/f', words: 'lies deeper than 2 folders' }]);
  expect(walk({ depth: 3 }).skipped).toEqual([]);
  expect([walk({ files: 2 }).notes.size, walk({ files: 2 }).skipped]).toEqual([
    2,
    [{ path: '', words: 'has more than 2 notes; the rest was not looked at' }],
  ]);
  expect(walk({ entries: 3 }).skipped).toEqual([
    { path: '', words: 'has more than 3 files and folders; the rest was not looked at' },
  ]);
});

test('of very many that are skipped, the first are named and the others counted', () => {
  const root = tempVault();
  for (let n = 0; n < 1_005; n += 1) symlinkSync('x', join(root, `${n}.md`));
  const { skipped } = walkNotes(root, all);
  expect([skipped.length, skipped[0]]).toEqual([1_001, { path: '', words: 'and 5 more were skipped' }]);
});

test('a path too long to be named is skipped, in words', () => {
  const root = tempVault();
  const part = 'x'.repeat(200);
  putFile(root, `${part}/${part}/${part}/${part}/${part}/a.md`, 'x');
  putFile(root, `${part}/${part}/${part}/${part}/${part}/${'y'.repeat(100)}.md`, 'x');
  const { notes, skipped } = walkNotes(root, all);
  expect([notes.size, skipped.map(({ words }) => words)]).toEqual([1, ['has too long a path']]);
});

test('a vault that is missing, or is a file, is told in words', () => {
  const root = vaultOf('a.md');
  expect(() => walkNotes(join(root, 'gone'), all)).toThrow(VaultMissingError);
  expect(() => walkNotes(join(root, 'gone'), all)).toThrow('does not exist');
  expect(() => walkNotes(join(root, 'a.md'), all)).toThrow('is not a folder');
});

test('a folder that must not be read is skipped in words, and the rest is found', () => {
  const root = vaultOf('closed/a.md', 'open/b.md');
  execFileSync('chmod', ['0', join(root, 'closed')]);
  execFileSync('chmod', ['-R', 'a+rX', join(root, '..'), join(root, 'open')]);
  execFileSync('chmod', ['0', join(root, 'closed')]);
  // Root may read everything, so another one looks.
  const program = `process.setuid?.(${process.geteuid?.() === 0 ? 65_534 : process.geteuid?.()});
    const { walkNotes } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/vault/files/walk.ts'))});
    const { notes, skipped } = walkNotes(${JSON.stringify(root)}, ${JSON.stringify(all)});
    console.log(JSON.stringify([[...notes.keys()], skipped]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  execFileSync('chmod', ['755', join(root, 'closed')]);
  expect(JSON.parse(said)).toEqual([
    ['open/b.md'],
    [{ path: 'closed', words: 'must not be read by this user' }],
  ]);
});
