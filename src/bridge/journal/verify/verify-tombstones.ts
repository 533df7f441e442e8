// Rows that say they were forgotten: by the bridge, or did somebody delete what stood there?
import type { AuditGap } from '../../../domain/views/audit/audit.ts';
import type { ChainKey } from '../chain/chain-key.ts';
import type { UnlinkedRow } from '../chain/hash-chain.ts';
import { readTombstone, tombstoneHolds } from '../chain/tombstone.ts';

export const isoOf = (at: unknown): string | null =>
  typeof at === 'number' && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : null;

export const range = (from: number, to: number) => (from < to ? `rows ${from} to ${to}` : `row ${to}`);

export class Tombstones {
  readonly #key: ChainKey;
  readonly #since: number;
  #count = 0;
  #unproven: { first: UnlinkedRow; last: UnlinkedRow; count: number } | undefined;

  /** @param since rows up to this one may have been forgotten with a key of before */
  constructor(key: ChainKey, since: number) {
    this.#key = key;
    this.#since = since;
  }

  get count(): number {
    return this.#count;
  }

  /** @returns what is wrong with the row, in words */
  take(row: UnlinkedRow): string | undefined {
    const tombstone = readTombstone(row);
    if (!tombstone) return undefined;
    this.#count += 1;
    if (tombstoneHolds(this.#key, row.seq, row.at, tombstone)) return undefined;
    if (row.seq > this.#since)
      return `row ${row.seq} says that it was forgotten, and does not carry the proof of the key`;
    const { first, count } = this.#unproven ?? { first: row, count: 0 };
    this.#unproven = { first, last: row, count: count + 1 };
    return undefined;
  }

  /** No anchor answers for them: what it saw are links, and a tombstone names its link itself. */
  gaps(): AuditGap[] {
    if (!this.#unproven) return [];
    const { first, last, count } = this.#unproven;
    const words = `${count} of the ${range(first.seq, last.seq)} say that they were forgotten, which the key at hand does not prove`;
    const place = { from: first.seq, to: last.seq, at: isoOf(last.at) ?? '' };
    return [{ kind: 'other_key', ...place, anchored: false, words }];
  }
}
