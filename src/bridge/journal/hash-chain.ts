// Each row carries a hash over itself and the row before it. SQLite's own checks do not notice a flipped byte in
// the write-ahead log: it ends the log there and calls the rest intact (measured on SQLite 3.53).
import { hash } from 'node:crypto';

/** A row as it lies on disk, but for its link: 32 hex digits, the first 16 bytes of SHA-256 over the previous link and it. */
export interface UnlinkedRow {
  seq: number;
  at: number;
  /** Session key as a JSON string: SQLite would replace lone surrogates, and the hash would no longer match. */
  session: string;
  /** The event as JSON. */
  body: string;
}

/** The link before row 1. */
export const genesis = '0'.repeat(32);

/** JSON holds no raw newline, so two different rows can never make the same text. */
export function linkOf(previous: string, row: UnlinkedRow): string {
  const text = `${previous}\n${row.seq}\n${row.at}\n${row.session}\n${row.body}`;
  return hash('sha256', text, 'hex').slice(0, 32);
}
