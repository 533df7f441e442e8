// Forward only, in one transaction. A step may add tables or columns; it never rewrites a stored event, which is a
// fact and part of the hash chain. An event whose shape changed is upgraded while it is read.
import type { DatabaseSync } from 'node:sqlite';

type Step = (db: DatabaseSync) => void;

const steps: readonly Step[] = [
  // No secondary index: a UNIQUE one cut the throughput to 0.28 (measured). Duplicates are refused in memory.
  (db) => {
    db.exec(`create table event (
      seq integer primary key,
      at integer not null,
      session text not null,
      body text not null,
      link text not null
    ) strict`);
  },
  // Rows that were there before have no seal; the first mark says up to where.
  (db) => {
    db.exec(`alter table event add column seal text`);
    db.exec(`create table mark (
      n integer primary key,
      seq integer not null,
      at integer not null,
      detail text not null,
      seal text not null
    ) strict`);
  },
  // One row, or none while every row that ever was is still there.
  (db) => {
    db.exec(`create table origin (
      seq integer primary key,
      link text not null,
      seal text not null,
      snapshot integer not null,
      sum text not null
    ) strict`);
  },
  // Conversations that the archive may still hold. Rows may be tombstones from here on, which no older release reads.
  (db) => {
    db.exec(`create table forgotten (
      session text primary key,
      removed integer not null,
      up_to integer not null
    ) strict`);
  },
];

/** The newest schema this release can read and write. */
export const schemaVersion = steps.length;

/** What a row has in every schema. */
export const rowColumns = (db: DatabaseSync): string => `seq, at, session, body, link, ${sealColumn(db)}`;

/** Asked of the table itself, because the version may be the damaged part. */
export function sealColumn(db: DatabaseSync): string {
  const sealed = db.prepare("select 1 from pragma_table_info('event') where name = 'seal'").get();
  return sealed ? 'seal' : 'null as seal';
}

/**
 * Brings a database of schema `from` (0 = empty) to {@link schemaVersion}.
 * @param also is done in the same transaction
 * @returns what `also` returned
 */
export function migrate<T>(db: DatabaseSync, from: number, also: () => T): T {
  db.exec('begin immediate');
  for (const step of steps.slice(from)) step(db);
  if (from !== schemaVersion) db.exec(`pragma user_version = ${schemaVersion}`);
  const result = also();
  db.exec('commit');
  return result;
}
