// The rows of a start, each as the one text that its link is made over: SQLite puts it together, which takes a third of the
// time away (measured on Node 24.21). What does not fit at once is looked at column by column.
import type { DatabaseSync } from 'node:sqlite';
import { linkOver, nextRow, type StoredRow } from '../chain/hash-chain.ts';
import { tombstoneBegin } from '../chain/tombstone.ts';
import { sealColumn } from '../store/migrations.ts';
import { RowQuery } from '../store/row-query.ts';

/** As SQLite hands it out. No text for a tombstone, and for what has a type that we never write. */
export type ChainedText = [seq: unknown, link: unknown, seal: unknown, text: unknown];

/** How far the chain was followed. It moves on with each row: an object for each would be a third of what a start leaves. */
export interface Place {
  /** Rows up to this one are intact. */
  kept: number;
  /** Link of that row. */
  link: string;
  /** The newest seal up to that row. */
  seal: string;
}

const pageSize = 256;

const isPlain = `typeof(at) = 'integer' and typeof(session) = 'text' and typeof(body) = 'text'
  and substr(body, 1, ${tombstoneBegin.length}) <> '${tombstoneBegin}'`;
const text = `case when ${isPlain} then concat_ws(char(10), seq, at, session, body) end`;

/** By seq, one page after the other: twice as fast as a scan, where every page of the tree is what it should be. */
export function* textPages(db: DatabaseSync, after: number): Generator<ChainedText[]> {
  const query = db.prepare(
    `select seq, link, ${sealColumn(db)}, ${text} from event where seq > ? order by seq limit ${pageSize}`,
  );
  query.setReturnArrays(true);
  for (let cursor = after; ; ) {
    const page = query.all(cursor) as unknown as ChainedText[];
    yield page;
    if (page.length < pageSize) return;
    cursor = Number(page.at(-1)?.[0]);
  }
}

/** Moves on to the row that comes next. @returns why the chain ends in front of it, in words */
export function takeText(db: DatabaseSync, place: Place, row: ChainedText): string | undefined {
  // Not taken apart as a list, which makes five objects as long as V8 has not compiled it.
  const { 0: seq, 1: link, 2: seal, 3: text } = row;
  const fits = seq === place.kept + 1 && typeof text === 'string' && linkOver(place.link, text) === link;
  if (!fits) return takeRow(place, wholeRow(db, Number(seq)));
  place.kept = seq;
  place.link = String(link);
  if (typeof seal === 'string') place.seal = seal;
  return undefined;
}

/** The same, column by column. */
export function takeRow(place: Place, stored: StoredRow): string | undefined {
  const step = nextRow(place.kept, place.link, stored);
  if (!step.ok) return step.why;
  const { seq, link, seal } = step.row;
  place.kept = seq;
  place.link = link;
  place.seal = seal ?? place.seal;
  return undefined;
}

function wholeRow(db: DatabaseSync, seq: number) {
  const [row] = RowQuery.ofAll(db, 'where seq = ?').stored(seq);
  return row ?? { seq, at: null, session: null, body: null, link: null, seal: null };
}
