import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ChainKey } from '../../../src/bridge/journal/chain/chain-key.ts';
import { genesis, linkOf } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { decodeHead, encodeHead, type Head } from '../../../src/bridge/journal/chain/head-file.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { delta } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

export const theKey = new ChainKey(Buffer.alloc(32, 7));
export const otherKey = new ChainKey(Buffer.alloc(32, 8));

/** Appends commits of so many rows each to a journal, and closes it. */
export async function write(
  dir: string,
  commits: readonly number[],
  key: ChainKey = theKey,
): Promise<ReturnType<typeof openJournal>> {
  const opened = openJournal({ dir, key });
  for (const rows of commits) {
    opened.journal.append(
      `s${rows}`,
      Array.from({ length: rows }, (_, n) => delta(`text ${n}`)),
    );
    await opened.journal.durable(opened.journal.last);
  }
  await opened.journal.close();
  return opened;
}

export async function sealedJournal(commits: readonly number[]): Promise<string> {
  const dir = join(tempDir(), 'state');
  mkdirSync(dir, { mode: 0o700 });
  await write(dir, commits);
  return dir;
}

/** What a program of the same user can do to the file while no bridge runs. */
export function tamper(dir: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(dir, 'journal.db'));
  change(db);
  db.close();
}

interface Row {
  seq: number;
  at: number;
  session: string;
  body: string;
}

/** Links every row anew from the beginning, as somebody without the key can. @returns the last row's link */
export function relink(
  db: DatabaseSync,
  seal?: (previous: string, seq: number, link: string) => string,
): string {
  let link = genesis;
  let last = genesis;
  const rows = db.prepare('select seq, at, session, body, seal from event order by seq').all();
  const update = db.prepare('update event set link = ?, seal = ? where seq = ?');
  for (const row of rows as unknown as (Row & { seal: string | null })[]) {
    link = linkOf(link, row);
    const sealed = row.seal !== null && seal ? seal(last, row.seq, link) : row.seal;
    last = sealed ?? last;
    update.run(link, sealed, row.seq);
  }
  return link;
}

export function changeHead(dir: string, change: (head: Head) => Head): void {
  const path = join(dir, 'journal.head');
  const head = decodeHead(readFileSync(path, 'latin1'));
  if (head) writeFileSync(path, encodeHead(change(head)));
}

export function verify(dir: string, anchors: readonly string[] = [], key: ChainKey = theKey) {
  const journal = StoppedJournal.at(dir);
  if (!journal) throw new Error('there is no journal');
  return journal.verify(key, anchors);
}

export const anchor = (dir: string, key: ChainKey = theKey): string =>
  StoppedJournal.at(dir)?.anchor(key, Date.UTC(2026, 0, 2)) ?? '';
