// A snapshot that is damaged takes all before it along, were it not that the newest segment of the archive holds the rows
// it stood for, and begins with a snapshot itself or with the first row of all.
import type { DatabaseSync } from 'node:sqlite';
import { readBegin, segmentFrames } from '../archive/read-segment.ts';
import { SegmentDamagedError } from '../archive/segment-error.ts';
import { listSegments } from '../archive/segments.ts';
import { nextRow, type StoredRow } from '../chain/hash-chain.ts';
import { writeOrigin } from '../chain/origin.ts';
import { RowQuery } from '../store/row-query.ts';
import type { Inspection } from './inspect.ts';

/**
 * Fills `db` with the newest segment and the rows of the damaged database that follow it, if that is more than what is
 * intact without it.
 * @returns what is in it then; undefined, and an empty `db`, when the archive is of no help
 */
export function fromArchive(
  db: DatabaseSync,
  damaged: DatabaseSync | undefined,
  found: Inspection,
  archive: string,
): Inspection | undefined {
  const segment = listSegments(archive).at(-1);
  if (!segment || (found.kept >= found.origin.snapshot && found.kept >= segment.last)) return undefined;
  db.exec('begin');
  try {
    const restored = restore(db, damaged, found, segment.path);
    db.exec(restored ? 'commit' : 'rollback');
    return restored;
  } catch (error) {
    db.exec('rollback');
    if (error instanceof SegmentDamagedError) return undefined;
    throw error;
  }
}

function restore(
  db: DatabaseSync,
  damaged: DatabaseSync | undefined,
  found: Inspection,
  segment: string,
): Inspection | undefined {
  const begin = readBegin(segment);
  const insert = db.prepare(
    'insert into event (seq, at, session, body, link, seal) values (?, ?, ?, ?, ?, ?)',
  );
  let { seq: kept, link, seal } = begin;
  // It may be of a journal that was here before: where there are intact rows, it has to lead to them.
  let isOurs = found.kept === 0 || (found.kept === kept && found.link === link);
  const add = (stored: StoredRow): boolean => {
    const step = nextRow(kept, link, stored);
    if (!step.ok) return false;
    const { row } = step;
    insert.run(row.seq, row.at, row.session, row.body, row.link, row.seal);
    kept = row.seq;
    link = row.link;
    seal = row.seal ?? seal;
    if (kept === found.kept) isOurs = link === found.link;
    return true;
  };
  for (const rows of segmentFrames(segment)) for (const row of rows) add(row);
  for (const row of rowsBehind(damaged, kept)) if (!add(row)) break;
  if (!isOurs) return undefined;
  const origin = { ...begin, snapshot: begin.seq };
  if (begin.seq > 0) writeOrigin(db, origin);
  const lost = found.lost === 'unknown' ? found.lost : Math.max(0, found.kept + found.lost - kept);
  return { ...found, origin, kept, link, seal, lost };
}

/** As far as they can be read. */
function* rowsBehind(damaged: DatabaseSync | undefined, seq: number): Generator<StoredRow> {
  try {
    if (!damaged) return;
    for (const row of RowQuery.ofAll(damaged, 'order by seq').stored()) if (Number(row.seq) > seq) yield row;
  } catch {
    // From here on it is damaged.
  }
}
