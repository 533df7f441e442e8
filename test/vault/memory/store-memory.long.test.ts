import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VaultMissingError } from '../../../src/vault/files/vault-missing-error.ts';
import { memoryId } from '../../../src/vault/memory/entry/entry.ts';
import { MemoryError } from '../../../src/vault/memory/memory-error.ts';
import type { MemoryRequest } from '../../../src/vault/memory/memory-request.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { putFile, tempVault } from '../temp-vault.ts';

const now = new Date(2026, 10, 23, 14, 5);
const depsOf = (root: string) => ({ folder: 'Memories', now, lockFile: join(root, '..', 'lock') });
const store = (root: string, request: MemoryRequest) => storeMemory(root, request, depsOf(root));
const textOf = (root: string, name: string) => readFileSync(join(root, 'Memories', name), 'utf8');

test('a memory without a topic goes to the note of its day', () => {
  const root = tempVault();
  const stored = store(root, { text: 'The boiler was serviced.' });
  const id = memoryId('The boiler was serviced.');
  expect(stored).toEqual({ file: 'Memories/2026-11-23.md', line: 9, id, isNew: true });
  expect(textOf(root, '2026-11-23.md')).toBe(
    `---\ncreated: 2026-11-23\ntags: [memory]\nsource: synthesis\n---\n\n# 2026-11-23\n\n- 14:05 The boiler was serviced. ^${id}\n`,
  );
  expect(readdirSync(join(root, 'Memories'))).toEqual(['2026-11-23.md']);
});

test('a memory with a topic, tags and links goes to the note of its topic, with date and time', () => {
  const root = tempVault();
  const request = {
    text: 'Oak it is.\nAnna chose.',
    topic: 'Kitchen renovation',
    tags: ['#house', '2026'],
    links: ['Anna', 'Oak.md'],
  };
  const { file, id } = store(root, request);
  expect(file).toBe('Memories/Kitchen renovation.md');
  const [, front = '', body = ''] = textOf(root, 'Kitchen renovation.md').split('---\n');
  expect(parse(front)).toEqual({
    created: '2026-11-23',
    tags: ['memory', 'house', '_2026'],
    source: 'synthesis',
  });
  expect(body).toBe(
    `\n# Kitchen renovation\n\n- 2026-11-23 14:05 Oak it is.\n  Anna chose.\n  → [[Anna]], [[Oak]] #house #_2026 ^${id}\n`,
  );
});

test('the line that it tells is where the memory begins', () => {
  const root = tempVault();
  const texts = ['one', 'two\nlines', 'a list:\n- x\n\n- y', 'four'];
  const stored = texts.map((text) => store(root, { text }));
  const lines = textOf(root, '2026-11-23.md').split('\n');
  expect(stored.map(({ line }) => lines[line - 1]?.replace(/ \^m.*/, ''))).toEqual([
    '- 14:05 one',
    '- 14:05 two',
    '- 14:05 a list:',
    '- 14:05 four',
  ]);
  expect(texts.map((text) => store(root, { text }))).toEqual(
    stored.map((each) => ({ ...each, isNew: false })),
  );
});

test('the same text is stored once in a note, however its blanks stand, and again under another topic', () => {
  const root = tempVault();
  const first = store(root, { text: 'Anna likes  oak.\n', topic: 'Anna' });
  const before = textOf(root, 'Anna.md');
  expect(store(root, { text: ' Anna likes oak.', topic: 'Anna' })).toEqual({ ...first, isNew: false });
  expect(textOf(root, 'Anna.md')).toBe(before);
  expect(store(root, { text: 'Anna likes oak.' }).isNew).toBe(true);
});

test('what the user made of a note stays to the byte, with a new line behind its end', () => {
  const root = tempVault();
  for (const own of [
    'no end of line',
    'windows\r\n',
    '',
    '\n\n\n',
    '```\nan open fence',
    '- a list',
    '\ufeffbom\n',
  ]) {
    putFile(root, 'Memories/2026-11-23.md', own);
    const { line } = store(root, { text: 'about it' });
    const after = textOf(root, '2026-11-23.md');
    expect(after.startsWith(own === '' || own.endsWith('\n') ? own : `${own}\n`)).toBe(true);
    expect(after.split('\n')[line - 1]).toMatch(/^- 14:05 /);
  }
});

test('a memory that its user has moved to another place of the note, or indented, is found there', () => {
  const root = tempVault();
  const { id } = store(root, { text: 'movable' });
  putFile(root, 'Memories/2026-11-23.md', `- other\n  - 14:05 movable ^${id}  \r\nmore\n`);
  expect(store(root, { text: 'movable' })).toMatchObject({ isNew: false, line: 1 });
  putFile(root, 'Memories/2026-11-23.md', `a link to [[x#^${id}]] is none, nor is ^${id}0\n`);
  expect(store(root, { text: 'movable' }).isNew).toBe(true);
});

test('topics that are one file on some disk go to the file that is there', () => {
  const root = tempVault();
  const files = ['Kitchen', 'KITCHEN', ' kitchen. ', 'kitchen.md'].map(
    (topic, n) => store(root, { text: `${n}`, topic }).file,
  );
  expect(new Set(files)).toEqual(new Set(['Memories/Kitchen.md']));
  putFile(root, `Memories/${'Café'.normalize('NFD')}.md`, 'mine\n');
  expect(store(root, { text: 'x', topic: 'café' }).file).toBe(`Memories/${'Café'.normalize('NFD')}.md`);
});

test('a note that has grown long goes on in the next one, and the same is found in the last two', () => {
  const root = tempVault();
  const text = (n: number) => `${n} ${'x'.repeat(7_900)}`;
  const stored = Array.from({ length: 80 }, (_, n) => store(root, { text: text(n), topic: 'Long' }));
  const files = ['Long.md', 'Long 2.md', 'Long 3.md'];
  expect([...new Set(stored.map(({ file }) => file))]).toEqual(files.map((file) => `Memories/${file}`));
  for (const file of files) expect(textOf(root, file).length).toBeLessThan(256 * 1024 + 8_100);
  expect(textOf(root, 'Long 2.md')).toContain('# Long 2\n');
  expect([79, 40].map((n) => store(root, { text: text(n), topic: 'Long' }))).toEqual(
    [79, 40].map((n) => ({ ...stored[n], isNew: false })),
  );
  expect(store(root, { text: text(0), topic: 'Long' })).toMatchObject({
    file: 'Memories/Long 3.md',
    isNew: true,
  });
});

test('what cannot be a memory is refused in words, and nothing is made', () => {
  const root = tempVault();
  const many = Array.from({ length: 21 }, (_, n) => `t${n}`);
  const requests: [MemoryRequest, string][] = [
    [{ text: '' }, 'nothing to remember'],
    [{ text: ' \n\u202e\0' }, 'nothing to remember'],
    [{ text: 'x'.repeat(8_001) }, '8001 characters; a memory may have 8000'],
    [{ text: 'x', topic: 'x'.repeat(81) }, '81 characters'],
    [{ text: 'x', topic: '???' }, 'no letter or digit'],
    [{ text: 'x', tags: many }, '20 tags; 21 were given'],
    [{ text: 'x', links: many }, '20 links; 21 were given'],
    [{ text: 'x', links: ['x'.repeat(201)] }, '201 characters'],
  ];
  for (const [request, words] of requests) {
    expect(() => store(root, request)).toThrow(MemoryError);
    expect(() => store(root, request)).toThrow(words);
  }
  expect(readdirSync(root)).toEqual([]);
});

test('the folder is made when it is missing, never the vault, and never over a link or outside', () => {
  const root = tempVault();
  const at = (folder: string) => storeMemory(root, { text: 'x' }, { ...depsOf(root), folder });
  expect(at('Notes/From Claude').file).toBe('Notes/From Claude/2026-11-23.md');
  const outside = join(root, '..', 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(root, 'link'));
  for (const folder of ['link', 'link/deep', '../outside', '.hidden', outside])
    expect(() => at(folder), folder).toThrow(MemoryError);
  expect(() => at('link')).toThrow('"link" leads over a link. Nothing was stored.');
  expect([readdirSync(outside), existsSync(join(root, '.hidden'))]).toEqual([[], false]);
  rmSync(root, { recursive: true });
  expect(() => at('Memories')).toThrow(VaultMissingError);
  expect(existsSync(root)).toBe(false);
});

test('a link, a folder or a FIFO in the place of a note is left alone', () => {
  const root = tempVault({ 'mine.md': 'mine' });
  mkdirSync(join(root, 'Memories', 'Folder.md'), { recursive: true });
  symlinkSync('../mine.md', join(root, 'Memories', 'Link.md'));
  symlinkSync('/nowhere/x.md', join(root, 'Memories', 'Nowhere.md'));
  for (const topic of ['Folder', 'Link', 'Nowhere'])
    expect(() => store(root, { text: 'x', topic })).toThrow('Nothing was stored.');
  expect(readFileSync(join(root, 'mine.md'), 'utf8')).toBe('mine');
});
