// Who asked for what, who allowed it, and what came of it: the journal as an account, with the bridge or without.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AuditEntry, AuditTrail, auditEvents } from '../../domain/views/audit-trail.ts';
import type { JournalRow } from '../../protocol/events.ts';
import { callBridge } from '../client/control-client.ts';
import { pointInTime } from '../duration.ts';
import { exitCodes } from '../exit-codes.ts';
import { auditLines } from '../output/audit-lines.ts';
import { print, printJson } from '../output/out.ts';
import { untilStopped } from '../output/stream-out.ts';
import { bridgeOr } from './audit-source.ts';

export interface AuditOptions {
  state: string;
  since?: string;
  session?: string;
  json: boolean;
}

/** When somebody last did something about it. */
function lastTime(entry: AuditEntry): number {
  if (entry.kind === 'deed') return Date.parse(entry.at);
  const times = [entry.asked_at, entry.answer?.at, entry.outcome?.at, entry.ran?.at];
  return Math.max(...times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)])));
}

export async function audit({ state, since, session, json }: AuditOptions): Promise<number> {
  const from = since === undefined ? 0 : pointInTime(since, Date.now());
  const trail = new AuditTrail();
  const show = (entries: readonly AuditEntry[]) => {
    for (const entry of entries) {
      if (lastTime(entry) < from) continue;
      if (json) printJson(entry);
      else print(auditLines(entry, process.stdout.columns));
    }
  };
  const take = (row: JournalRow) => show(trail.take(row));
  const stopped = untilStopped();
  const reading = bridgeOr(
    state,
    async () => void (await fromBridge(state, session, take)),
    async (journal) => {
      for (const row of journal.events(session)) {
        take(row);
        // Ctrl-C gets its turn.
        if (row.seq % 1024 === 0) await nextTurn();
      }
    },
  );
  const code = await Promise.race([reading.then(() => exitCodes.ok), stopped]);
  show(trail.rest());
  return code;
}

/** From the first row on: who wrote the message of a turn may stand long before the question. */
const fromBridge = (state: string, session: string | undefined, take: (row: JournalRow) => void) =>
  callBridge(
    state,
    'events.subscribe',
    { from: 0, follow: false, types: [...auditEvents], ...(session !== undefined && { session }) },
    {
      onNotification: (method, given) => {
        if (method === 'event') take(given.row as JournalRow);
      },
    },
  );
