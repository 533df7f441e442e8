// Files of a vault that are not in its index, as its answers name them.
import type { Envelope } from '../../../../protocol/envelope.ts';
import { safeLine } from '../../../output/safe.ts';

export interface SkippedNote {
  /** Empty for the vault itself. */
  file: string;
  why: string;
}

/** Those that a status names. */
export function skippedIn({ data }: Envelope): SkippedNote[] {
  const list = typeof data === 'object' && data !== null && 'skipped' in data ? data.skipped : [];
  if (!Array.isArray(list)) return [];
  return list.flatMap((each): SkippedNote[] => {
    if (typeof each !== 'object' || each === null || !('file' in each) || !('why' in each)) return [];
    return [{ file: String(each.file), why: String(each.why) }];
  });
}

/** A row for each; where there are many, for the first of them. */
const mostRows = 10;

/** @param all where the rest can be read */
export function skippedLines(skipped: readonly SkippedNote[], all: string): string[] {
  const rows = skipped
    .slice(0, mostRows)
    .map(({ file, why }) => `  ${safeLine(file || 'The folder')} ${safeLine(why)}`);
  const more = skipped.length - rows.length;
  return more > 0 ? [...rows, `  and ${more} more: ${all}`] : rows;
}
