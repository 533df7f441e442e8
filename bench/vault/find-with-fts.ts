// SQLite's full-text search as it comes: any of the words, ranked by bm25. Over whole notes, and over the parts that the
// vault cuts them into, so that the rest of what the vault does can be told from its cutting.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readNote } from '../../src/vault/notes/read-note.ts';
import { taken } from '../harness/taken.ts';
import type { CorpusNote } from './corpus.ts';
import { bytesOf, type Finder, type FinderOptions, mostFound, usualResults } from './finder.ts';

type Cut = (note: CorpusNote) => readonly string[];

export const whole: Cut = ({ text }) => [text];
export const parts: Cut = ({ path, text }) =>
  readNote(path, text).chunks.map((chunk) => `${chunk.heading}\n${chunk.text}`);

export async function ftsFinder({ notes, dir }: FinderOptions, cut: Cut): Promise<Finder> {
  const file = join(dir, 'plain.db');
  const db = new DatabaseSync(file);
  const { cpuMs: indexMs } = await taken(() => fill(db, notes, cut));
  // A note may have many parts: more of them are asked for than files.
  const select = db.prepare('SELECT path, text FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ?');
  const found = (question: string, most: number) => select.all(anyWord(question), most);
  return {
    indexMs,
    bytes: statSync(file).size,
    find: async (question) => found(question, mostFound * 4).map(({ path }) => String(path)),
    answerBytes: async (question) => bytesOf(found(question, usualResults)),
    [Symbol.asyncDispose]: async () => db.close(),
  };
}

function fill(db: DatabaseSync, notes: readonly CorpusNote[], cut: Cut): void {
  db.exec('CREATE VIRTUAL TABLE notes USING fts5 (path UNINDEXED, text, tokenize = unicode61); BEGIN');
  const insert = db.prepare('INSERT INTO notes VALUES (?, ?)');
  for (const note of notes) for (const text of cut(note)) insert.run(note.path, text);
  db.exec('COMMIT');
}

const anyWord = (question: string): string =>
  (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
