// What the indexer is told, and what it tells: messages between two processes of one program.
import type { Skipped } from '../files/walk.ts';

export interface IndexOrder {
  /** Of the vault, absolute, without links. */
  root: string;
  include: string[];
  exclude: string[];
  /** Where the index lies. */
  dir: string;
  /** Build it anew, though it is well. */
  rebuild: boolean;
}

export interface IndexResult {
  /** It was built anew. */
  built: boolean;
  /** Notes that were read because they are new or were changed. */
  read: number;
  removed: number;
  /** What of the vault was left aside, in words, at most {@link mostSkipped}. */
  skipped: readonly Skipped[];
}

export const mostSkipped = 100;

export type IndexerNews =
  /** So many notes are in the index, and survive the end of the process. */
  | { type: 'progress'; done: number; total: number }
  | { type: 'done'; result: IndexResult }
  /** In words for people, without a path of this machine. */
  | { type: 'failed'; reason: 'busy' | 'vault_missing' | 'disk_full' | 'fault'; message: string };
