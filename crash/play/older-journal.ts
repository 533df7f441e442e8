// A journal as an earlier release left it. These formats are history: they are written down here once more, so that a
// change of the bridge's own code cannot change them.
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Row } from '../history/evidence.ts';

/** 1 knew no key; 2 sealed its rows; 3 had an archive, in which here nothing is yet. */
export const olderSchemas = [1, 2, 3] as const;
export type OlderSchema = (typeof olderSchemas)[number];

const genesis = '0'.repeat(32);
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

const tables: Record<OlderSchema, string> = {
  1: `create table event (seq integer primary key, at integer not null, session text not null,
    body text not null, link text not null) strict`,
  2: `alter table event add column seal text;
    create table mark (n integer primary key, seq integer not null, at integer not null,
    detail text not null, seal text not null) strict`,
  3: `create table origin (seq integer primary key, link text not null, seal text not null,
    snapshot integer not null, sum text not null) strict`,
};

/** What is in the head file: `text` and its sum. */
export const headLine = (text: string): string => `${text} ${sha(text).slice(0, 6)}\n`;

/** Puts it in the place of the one that is there, with the same rows. */
export function writeOlderJournal(stateDir: string, schema: OlderSchema, rows: readonly Row[]): void {
  for (const name of readdirSync(stateDir))
    if (/^journal\.(?!archive)/.test(name)) rmSync(join(stateDir, name), { recursive: true });
  const key = join(stateDir, 'audit.key');
  if (schema === 1) rmSync(key);
  const bytes = schema === 1 ? '' : readFileSync(key, 'utf8').trim();
  const seal = (text: string) =>
    createHmac('sha256', Buffer.from(bytes, 'hex')).update(text).digest('hex').slice(0, 32);
  const file = join(stateDir, 'journal.db');
  writeFileSync(file, '', { mode: 0o600 });
  const db = new DatabaseSync(file);
  try {
    for (const each of olderSchemas.filter((version) => version <= schema)) db.exec(tables[each]);
    db.exec(`pragma journal_mode = wal; pragma user_version = ${schema}; begin`);
    const link = writeRows(db, rows);
    const seq = rows.length;
    let head = `sj 00${schema} ${String(seq).padStart(16, '0')} ${link}`;
    if (schema > 1) {
      sealRow(db, seq, seal(`row\n${genesis}\n${seq}\n${link}`));
      const markSeal = writeMark(db, seal);
      head += ` 000001 ${seal(`head\n${seq}\n${link}\n1\n${markSeal}`)}`;
    }
    db.exec('commit');
    writeFileSync(join(stateDir, 'journal.head'), headLine(head), { mode: 0o600 });
  } finally {
    db.close();
  }
}

/** @returns the link of the last one */
function writeRows(db: DatabaseSync, rows: readonly Row[]): string {
  const insert = db.prepare('insert into event (seq, at, session, body, link) values (?, ?, ?, ?, ?)');
  let link = genesis;
  for (const { seq, at, session, event } of rows) {
    const [name, body] = [JSON.stringify(session), JSON.stringify(event)];
    link = sha(`${link}\n${seq}\n${at}\n${name}\n${body}`).slice(0, 32);
    insert.run(seq, at, name, body, link);
  }
  return link;
}

/** All of them are one commit, of which the last row carries the seal. */
const sealRow = (db: DatabaseSync, seq: number, seal: string) =>
  db.prepare('update event set seal = ? where seq = ?').run(seal, seq);

/** That the key holds from the first row on. @returns its seal */
function writeMark(db: DatabaseSync, seal: (text: string) => string): string {
  const at = Date.now();
  const detail = JSON.stringify({ kind: 'keyed', key: seal('id').slice(0, 16) });
  const own = seal(`mark\n${genesis}\n1\n0\n${genesis}\n${at}\n${detail}`);
  db.prepare('insert into mark (n, seq, at, detail, seal) values (1, 0, ?, ?, ?)').run(at, detail, own);
  return own;
}
