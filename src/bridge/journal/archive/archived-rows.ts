// The rows before the live ones, as far as they are kept.

import { genesis, type StoredRow } from '../chain/hash-chain.ts';
import type { Origin } from '../chain/origin.ts';
import { readBegin, readSegment } from './read-segment.ts';
import { SegmentDamagedError } from './segment-error.ts';
import type { ChainPlace } from './segment-lines.ts';
import type { Segment } from './segment-name.ts';
import { listSegments } from './segments.ts';

interface Archived {
  /** What comes before the first of them. */
  start: ChainPlace;
  rows: AsyncIterable<StoredRow>;
}

/**
 * Those that end in the origin and follow one another, oldest first. What a killed bridge archived behind the origin is
 * also among the live rows, and what does not join is of a journal that was here before.
 */
export function archivedSegments(dir: string, origin: Pick<Origin, 'seq'>): Segment[] {
  const joined: Segment[] = [];
  for (const segment of listSegments(dir).reverse())
    if (segment.last === (joined[0] ? joined[0].first - 1 : origin.seq)) joined.unshift(segment);
  return joined;
}

/** What is damaged throws SegmentDamagedError while the rows are read. */
export function archivedBefore(dir: string, origin: Origin): Archived {
  const segments = archivedSegments(dir, origin);
  const [oldest] = segments;
  return { start: oldest ? beginOf(oldest) : origin, rows: rowsOf(segments) };
}

function beginOf({ path, first }: Segment): ChainPlace {
  try {
    return readBegin(path);
  } catch (error) {
    if (!(error instanceof SegmentDamagedError)) throw error;
    return { seq: first - 1, link: genesis, seal: genesis };
  }
}

async function* rowsOf(segments: readonly Segment[]): AsyncGenerator<StoredRow> {
  for (const { path } of segments) yield* readSegment(path);
}

export async function* chained(
  first: AsyncIterable<StoredRow>,
  second: AsyncIterable<StoredRow> | Iterable<StoredRow>,
): AsyncGenerator<StoredRow> {
  yield* first;
  yield* second;
}
