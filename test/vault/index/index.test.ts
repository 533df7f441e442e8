// What is written to an index, and what is read of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { IndexDamage } from '../../../src/vault/index/index-damage.ts';
import { type HitFilter, IndexReader } from '../../../src/vault/index/index-reader.ts';
import { IndexWriter, type NoteRow } from '../../../src/vault/index/index-writer.ts';
import { noteRow } from '../support/note-row.ts';
import { tempFolder } from '../temp-vault.ts';

const note = (path: string, text: string, more: Partial<NoteRow> = {}) => noteRow(path, [text], more);

const all = { folder: '', tag: '' };
const one = '"harbour"';
let file: string;
beforeEach(() => {
  file = join(tempFolder(), '1.db');
});

function written(...notes: NoteRow[]): IndexWriter {
  const writer = new IndexWriter(file, '/notes');
  writer.commit(() => {
    for (const each of notes) writer.put(each);
  });
  return writer;
}

test('what was put is found by whoever reads beside, and no more when it was replaced or removed', () => {
  const writer = written(note('a.md', 'the harbour'), note('b.md', 'harbour, harbour'));
  const reader = new IndexReader(file);
  const files = (match: string) => reader.hits(match, 10, all).map((hit) => hit.file);
  expect(files(one)).toEqual(['b.md', 'a.md']);
  writer.commit(() => {
    writer.put(note('a.md', 'the island'));
    writer.remove('b.md');
  });
  expect(files(one)).toEqual([]);
  expect(files('"island"')).toEqual(['a.md']);
  expect(reader.facts()).toEqual({ notes: 1, chunks: 1, meanings: 1, secrets: 0, modified: 1_000 });
});

test('parts are found by what was embedded of them, in each note that has them, and by nothing else', () => {
  written(
    note('a/b.md', 'the harbour'),
    note('c.md', 'the harbour', { tags: ['port'] }),
    note('d.md', 'islands'),
  );
  const reader = new IndexReader(file);
  const meanings = reader.meanings();
  const harbour = meanings.filter((meaning) => reader.meaningText(meaning)?.includes('harbour'));
  const files = (filter: HitFilter) =>
    reader.partsOf([...harbour, '00'.repeat(16)], filter).map((hit) => hit.file);
  expect([meanings.length, harbour.length]).toEqual([2, 1]);
  expect(files(all).toSorted()).toEqual(['a/b.md', 'c.md']);
  expect(files({ folder: 'a', tag: '' })).toEqual(['a/b.md']);
  expect(files({ folder: '', tag: 'port' })).toEqual(['c.md']);
  expect(reader.partsOf(harbour, all)[0]?.meaning).toBe(harbour[0]);
});

test('a transaction that fails leaves nothing', () => {
  const writer = written();
  const half = () => {
    writer.put(note('a.md', 'the harbour'));
    throw new Error('no');
  };
  expect(() => writer.commit(half)).toThrow('no');
  expect(writer.notes().size).toBe(0);
});

test('an index knows what it was made for, and another format is another one', () => {
  written().close();
  expect(new IndexWriter(file, '/notes').isOf('/notes')).toBe(true);
  expect(new IndexWriter(file, '/notes').isOf('/other')).toBe(false);
  new DatabaseSync(file).exec("UPDATE meta SET value = '0 /notes' WHERE key = 'identity'");
  expect(new IndexWriter(file, '/notes').isOf('/notes')).toBe(false);
});

test.each([
  ["UPDATE chunks SET text = 'the harbour is closed'", 'another text'],
  ['UPDATE chunks SET line = 7', 'another line'],
  ["UPDATE notes SET path = 'c.md'", 'another note'],
  ['DELETE FROM chunks', 'no part'],
  ["UPDATE chunks SET hash = x'00'", 'another hash'],
])('a row that is not what was written is damage: %s', (sql) => {
  written(note('a.md', 'the harbour')).close();
  new DatabaseSync(file).exec(sql);
  expect(() => new IndexReader(file).hits(one, 10, all)).toThrow(IndexDamage);
});

test('an index that is looked through names the damage of its pages', () => {
  const notes = Array.from({ length: 50 }, (_, at) => note(`${at}.md`, `harbour ${'x '.repeat(500)}`));
  const writer = written(...notes);
  expect(() => writer.examine()).not.toThrow();
  writer.settle();
  writer.close();
  const bytes = readFileSync(file);
  const page = 4_096;
  bytes.fill(0, page * 12, page * 13);
  writeFileSync(file, bytes);
  expect(() => new IndexWriter(file, '/notes').examine()).toThrow(IndexDamage);
});
