import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { IndexReader } from '../../../src/vault/index/index-reader.ts';
import { IndexWriter } from '../../../src/vault/index/index-writer.ts';
import { matchOf } from '../../../src/vault/index/terms.ts';
import { Releases } from '../../../src/vault/search/releases.ts';
import { type Question, searchIndex } from '../../../src/vault/search/search-index.ts';
import type { Near } from '../../../src/vault/vectors/vector-store.ts';
import { noteRow } from '../support/note-row.ts';
import { tempFolder } from '../temp-vault.ts';

/** Longer than an excerpt. */
const filler = Array.from({ length: 60 }, (_, at) => `- item ${at} of a list`).join('\n');

const texts: Record<string, string[]> = {
  'boats.md': ['the harbour at night', `ships, quays and cranes\n${filler}`],
  'garden.md': ['a fence of wood'],
  'work/plan.md': ['the harbour project'],
};

let reader: IndexReader;
beforeEach(() => {
  const file = join(tempFolder(), '1.db');
  const writer = new IndexWriter(file, '/notes');
  writer.commit(() => {
    for (const [path, parts] of Object.entries(texts))
      writer.put(
        noteRow(path, parts, path === 'garden.md' ? { secrets: [{ line: 1, kind: 'GitHub token' }] } : {}),
      );
  });
  reader = new IndexReader(file);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
});

/** The part whose text begins with it. */
function near(beginning: string, score: number): Near {
  const hash = reader.meanings().find((meaning) => reader.meaningText(meaning)?.startsWith(beginning));
  if (hash === undefined) throw new Error(`no part begins with ${beginning}`);
  return { hash, score };
}

function found(query: string, more: Partial<Question> = {}) {
  const match = matchOf(query) ?? '';
  const question = { query, match, limit: 8, folder: '', tag: '', ...more };
  return searchIndex(reader, question, new Releases());
}
const places = (query: string, more: Partial<Question> = {}) =>
  found(query, more).results.map(({ file, line }) => `${file}:${line}`);

test('without vectors, and with none that is near, words alone decide', () => {
  const alone = found('harbour').results;
  expect(alone.map(({ file }) => file).toSorted()).toEqual(['boats.md', 'work/plan.md']);
  expect(found('harbour', { near: [] }).results).toEqual(alone);
  // Of a note that is gone since.
  expect(found('harbour', { near: [{ hash: '00'.repeat(16), score: 0.9 }] }).results).toEqual(alone);
});

test('what is near comes with what has the words, and a note shows the latter first', () => {
  const order = places('harbour', { near: [near('ships', 0.9), near('a fence', 0.5)] });
  expect(order).toEqual(['boats.md:1', 'boats.md:11', 'work/plan.md:1', 'garden.md:1']);
});

test('a part that has none of the words is shown from its beginning', () => {
  const { results } = found('vessels', { near: [near('ships', 0.9)] });
  expect(results[0]).toMatchObject({ file: 'boats.md', line: 11, heading: 'boats.md' });
  expect(results[0]?.text).toMatch(/^ships, quays/);
  expect(results[0]?.text.length).toBeLessThan(600);
});

test('the folder that was asked for holds for what is near as well', () => {
  expect(places('harbour', { folder: 'work', near: [near('ships', 0.9), near('a fence', 0.8)] })).toEqual([
    'work/plan.md:1',
  ]);
});

test('a secret is named in a part that only its meaning found', () => {
  const { withheld } = found('hedge', { near: [near('a fence', 0.7)] });
  expect(withheld).toMatchObject([{ file: 'garden.md', line: 1, kind: 'GitHub token' }]);
});

test('whatever the order of what is near, the answer is the same', () => {
  const all = [near('ships', 0.9), near('a fence', 0.5), near('the harbour', 0.5)];
  expect(found('harbour', { near: all.toReversed() }).results).toEqual(
    found('harbour', { near: all }).results,
  );
});
