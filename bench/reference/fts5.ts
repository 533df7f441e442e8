// The least that makes a folder of notes findable: their texts in an FTS5 table.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { answerLines } from '../harness/heap.ts';
import { taken } from '../harness/taken.ts';

const create = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE VIRTUAL TABLE notes USING fts5 (path UNINDEXED, text, tokenize = 'porter unicode61')`;

function fill(folder: string, file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const db = new DatabaseSync(file);
  db.exec(`${create}; BEGIN`);
  const insert = db.prepare('INSERT INTO notes VALUES (?, ?)');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.md')) insert.run(path, readFileSync(join(folder, path), 'utf8'));
  db.exec('COMMIT');
  db.close();
}

console.log(JSON.stringify({ ready: true }));
await answerLines(({ folder, file }) => taken(() => fill(String(folder), String(file))));
