// Which sessions were removed and kept, from all rows that are kept, oldest first.
import type { Forgetting } from '../../../protocol/events/compaction-events.ts';
import type { StoredRow } from '../../journal/chain/hash-chain.ts';

interface Kept {
  about: Forgetting;
  /** Characters of its rows. */
  size: number;
}

interface Seen {
  size: number;
  kept?: Kept;
}

/** @returns by key */
export async function keptSessions(rows: AsyncIterable<StoredRow>): Promise<Map<string, Kept>> {
  const seen = new Map<string, Seen>();
  for await (const row of rows) {
    const { seq, at, session, body } = row as Record<keyof StoredRow, never>;
    const here: Seen = seen.get(session) ?? { size: 0 };
    seen.set(session, here);
    here.size += String(body).length;
    note(here, { seq, at, session, body });
  }
  const found = [...seen.values()].flatMap(({ kept }) => (kept ? [kept] : []));
  return new Map(found.map((kept) => [kept.about.session, kept]));
}

function note(here: Seen, row: { seq: number; at: number; session: string; body: string }): void {
  const { seq, at } = row;
  const type = /^\{"type":"(session\.(?:removed|opened))"/.exec(row.body)?.[1];
  if (type === 'session.removed') {
    const session = JSON.parse(row.session) as string;
    const about = { session, removed: seq, up_to: seq, at, reused: false };
    if (row.body.includes('"forget":true')) delete here.kept;
    else here.kept = { about, size: here.size };
    return;
  }
  if (!here.kept || here.kept.about.reused) return;
  const reused = type === 'session.opened';
  here.kept.about = { ...here.kept.about, reused, up_to: reused ? seq - 1 : seq };
  if (!reused) here.kept.size = here.size;
}
