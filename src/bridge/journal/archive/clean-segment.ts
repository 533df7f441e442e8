// Puts tombstones into a segment. The new one takes the name of the old one when it is whole and on disk, so a bridge
// that is killed leaves the one or the other.
import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { belongsTo, type LinkedRow, type Past } from '../chain/forget-rows.ts';
import type { UnlinkedRow } from '../chain/hash-chain.ts';
import { FrameFile } from './frame.ts';
import { readBegin, segmentFrames } from './read-segment.ts';
import type { SealedRow } from './segment-lines.ts';
import type { Segment } from './segment-name.ts';
import { SegmentWriter } from './segment-writer.ts';

export type BuryRow = (row: LinkedRow) => Pick<UnlinkedRow, 'session' | 'body'>;

/** Rows that are compressed in one go. */
const pageSize = 500;

/**
 * Nobody else may write to the folder until it has ended. Others get their turn between steps of some milliseconds.
 * @returns how many rows are tombstones now that were not
 * @throws SegmentDamagedError, UnsafePathError, or what the file system throws; the segment is as it was then
 */
export async function cleanSegment(
  dir: string,
  { path, first }: Segment,
  past: readonly Past[],
  bury: BuryRow,
): Promise<number> {
  if (!(await mentions(path, past))) return 0;
  const { link, seal } = readBegin(path);
  const writer = SegmentWriter.begin(dir, { first, link, seal });
  let buried = 0;
  const take = (row: SealedRow): SealedRow => {
    if (!past.some((each) => belongsTo(each, row))) return row;
    buried += 1;
    return { ...row, ...bury(row) };
  };
  try {
    for (const rows of segmentFrames(path))
      for (let at = 0; at < rows.length; at += pageSize) {
        writer.add(rows.slice(at, at + pageSize).map(take));
        await nextTurn();
      }
    // It may have been deleted for its age meanwhile.
    if (buried > 0 && existsSync(path)) await writer.finish();
    return buried;
  } finally {
    writer.drop();
  }
}

/** Whether one of the keys stands in it, as a key or in a text. */
async function mentions(path: string, past: readonly Past[]): Promise<boolean> {
  const needles = past.map(({ session }) => JSON.stringify(session));
  const file = new FrameFile(path);
  try {
    for (let frame = file.next(); frame; frame = file.next()) {
      const { text } = frame;
      if (needles.some((needle) => text.includes(needle))) return true;
      await nextTurn();
    }
    return false;
  } finally {
    file.close();
  }
}
