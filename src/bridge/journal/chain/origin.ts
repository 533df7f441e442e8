// Where the live rows begin once older ones were put into the archive. The rows right behind the origin are a snapshot
// of every session: whoever folds from here gets the same state as from the first row that ever was.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { genesis } from './hash-chain.ts';

export interface Origin {
  /** Seq of the last archived row; 0 when nothing was archived. */
  seq: number;
  /** Link of that row. */
  link: string;
  /** The newest seal up to that row. */
  seal: string;
  /** Seq of the last row of the snapshot. */
  snapshot: number;
}

export const noOrigin: Origin = { seq: 0, link: genesis, seal: genesis, snapshot: 0 };

const sumOf = ({ seq, link, seal, snapshot }: Origin): string =>
  hash('sha256', `${seq}\n${link}\n${seal}\n${snapshot}`, 'hex').slice(0, 32);

/** @returns words when what stands there is not what was written */
export function readOrigin(db: DatabaseSync): Origin | string {
  const known = db.prepare("select 1 from sqlite_master where name = 'origin'").get();
  const rows = known ? db.prepare('select seq, link, seal, snapshot, sum from origin').all() : [];
  const [row] = rows;
  if (!row) return noOrigin;
  const origin = {
    seq: Number(row.seq),
    link: String(row.link),
    seal: String(row.seal),
    snapshot: Number(row.snapshot),
  };
  return rows.length === 1 && row.sum === sumOf(origin) ? origin : 'the origin of the journal is damaged';
}

export function writeOrigin(db: DatabaseSync, origin: Origin): void {
  const { seq, link, seal, snapshot } = origin;
  db.exec('delete from origin');
  db.prepare('insert into origin (seq, link, seal, snapshot, sum) values (?, ?, ?, ?, ?)').run(
    seq,
    link,
    seal,
    snapshot,
    sumOf(origin),
  );
}
