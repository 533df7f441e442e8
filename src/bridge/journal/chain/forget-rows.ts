// Puts tombstones in the place of a conversation's rows, and remembers which conversations the archive still holds.
import type { DatabaseSync } from 'node:sqlite';
import { type Forgotten, isForgotten } from '../../../domain/state/removal.ts';
import type { SessionEvent } from '../../../protocol/events/events.ts';
import type { ChainKey } from './chain-key.ts';
import { tombstoneOf, typeOf } from './tombstone.ts';

/** A conversation that is to be forgotten. */
export interface Past extends Forgotten {
  /** As it is stored. */
  session: string;
}

export interface LinkedRow {
  seq: number;
  at: number;
  session: string;
  body: string;
  link: string;
}

export const belongsTo = ({ session, ...past }: Past, row: LinkedRow): boolean =>
  row.session === session && isForgotten(past, row.seq, typeOf(row.body) as SessionEvent['type']);

/** Call it in a transaction. What the freed bytes held is overwritten; older copies of it are not: see `rewrite`. */
export function forgetRows(db: DatabaseSync, key: ChainKey, past: Past): void {
  const { session, removed, upTo } = past;
  const rows = db
    .prepare('select seq, at, session, body, link from event where session = ? and seq <= ?')
    .all(session, Math.max(removed, upTo)) as unknown as LinkedRow[];
  const bury = db.prepare('update event set session = ?, body = ? where seq = ?');
  for (const row of rows) {
    if (!belongsTo(past, row)) continue;
    const tombstone = tombstoneOf(key, row);
    bury.run(tombstone.session, tombstone.body, row.seq);
  }
  rememberPast(db, past);
}

/** The archive is not free of it yet, and neither are the unused parts of the files. */
export function rememberPast(db: DatabaseSync, { session, removed, upTo }: Past): void {
  db.prepare('insert or replace into forgotten (session, removed, up_to) values (?, ?, ?)').run(
    session,
    removed,
    upTo,
  );
}

export function* eachPast(db: DatabaseSync): Generator<Past> {
  if (!db.prepare("select 1 from sqlite_master where name = 'forgotten'").get()) return;
  const rows = db.prepare('select session, removed, up_to as upTo from forgotten order by up_to');
  for (const row of rows.iterate()) yield { ...row } as unknown as Past;
}

/** Unless more of it is to be forgotten by now. */
export function dropPast(db: DatabaseSync, { session, upTo }: Past): void {
  db.prepare('delete from forgotten where session = ? and up_to <= ?').run(session, upTo);
}

/** Writes the database anew, without what was free in it: that may hold old copies. @throws what SQLite throws */
export const rewrite = (db: DatabaseSync): void => db.exec('pragma temp_store = memory; vacuum');
