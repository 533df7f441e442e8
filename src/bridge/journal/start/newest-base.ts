import type { DatabaseSync } from 'node:sqlite';
import type { SessionEvent } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import type { Inspection } from './inspect.ts';

type Compacted = Extract<SessionEvent, { type: 'bridge.compacted' }>;

const bodyBegin = '{"type":"bridge.compacted",';

/**
 * Where a fold of the rows may begin: in front of the newest snapshot that is there as a whole. It looks from the end on, and
 * mostly finds it soon.
 * @param db a journal that was inspected @returns seq of the last row before it
 */
export function newestBase(db: DatabaseSync, { kept, origin }: Pick<Inspection, 'kept' | 'origin'>): number {
  const rows = db
    .prepare(
      `select seq, body from event where session = ? and substr(body, 1, ${bodyBegin.length}) = ? order by seq desc`,
    )
    .iterate(JSON.stringify(house), bodyBegin);
  for (const { seq, body } of rows) {
    const { sessions } = JSON.parse(String(body)) as Compacted;
    // A full disk may have taken a part of it, and a bridge of before has not said how long it is.
    if (sessions !== undefined && Number(seq) + sessions <= kept) return Number(seq) - 1;
  }
  return origin.seq;
}
