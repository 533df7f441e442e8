// Each row carries a hash over itself and the row before it. SQLite's own checks do not notice a flipped byte in
// the write-ahead log: it ends the log there and calls the rest intact (measured on SQLite 3.53). The hash needs no
// key, so damage is told from loss on any machine; who wrote the rows is proven by the seals (see chain-key.ts).
import { hash } from 'node:crypto';
import { readTombstone } from './tombstone.ts';

/** A row as it lies on disk, but for its link: 32 hex digits, the first 16 bytes of SHA-256 over the previous link and it. */
export interface UnlinkedRow {
  seq: number;
  at: number;
  /** Session key as a JSON string: SQLite would replace lone surrogates, and the hash would no longer match. */
  session: string;
  /** The event as JSON. */
  body: string;
}

/** A row as SQLite hands it out; from a damaged or altered file, anything may stand in a column. */
export type StoredRow = { [K in keyof UnlinkedRow | 'link' | 'seal']: unknown };

/** The link before row 1, and the seal before the first one. */
export const genesis = '0'.repeat(32);

/** JSON holds no raw newline, so two different rows can never make the same text. A tombstone has the link of its row. */
export function linkOf(previous: string, row: UnlinkedRow): string {
  const tombstone = readTombstone(row);
  if (tombstone) return tombstone.link;
  return linkOver(previous, `${row.seq}\n${row.at}\n${row.session}\n${row.body}`);
}

/** @param text of a row that is no tombstone */
export const linkOver = (previous: string, text: string): string =>
  hash('sha256', `${previous}\n${text}`, 'hex').slice(0, 32);

export type Step =
  | { ok: true; row: UnlinkedRow & { link: string; seal: string | null } }
  | { ok: false; why: string };

/** Takes the row that comes after row `seq`, whose link is `link`. */
export function nextRow(seq: number, link: string, stored: StoredRow): Step {
  const expected = seq + 1;
  if (stored.seq !== expected) return { ok: false, why: `row ${expected} is missing` };
  const { at, session, body, seal } = stored;
  const typed = typeof at === 'number' && typeof session === 'string' && typeof body === 'string';
  if (!typed || linkOf(link, { seq: expected, at, session, body }) !== stored.link) {
    return { ok: false, why: `row ${expected} does not match its hash` };
  }
  const sealed = typeof seal === 'string' ? seal : null;
  return { ok: true, row: { seq: expected, at, session, body, link: stored.link, seal: sealed } };
}
