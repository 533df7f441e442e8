// Who asked for what, who allowed it, and what came of it: the journal as an account, with the bridge or without.
import type { AuditEntry } from '../../../domain/views/audit/audit-entry.ts';
import { AuditTrail, auditEvents } from '../../../domain/views/audit/audit-trail.ts';
import { RunEvidence } from '../../../domain/views/audit/run-evidence.ts';
import { pointInTime } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson } from '../../output/out.ts';
import { auditLines } from '../../output/words/audit-lines.ts';
import { everyRow } from './journal-rows.ts';

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
  const show = (entries: readonly AuditEntry[]) => {
    for (const entry of entries) {
      if (lastTime(entry) < from) continue;
      if (json) printJson(entry);
      else print(auditLines(entry, process.stdout.columns));
    }
  };
  // From the first row on: who wrote the message of a turn may stand long before the question.
  const wanted = { types: auditEvents, ...(session !== undefined && { session }) };
  // Twice: an entry is shown when its question is closed, and a row far behind that may say that its tool ran.
  const evidence = new RunEvidence();
  const read = await everyRow(state, { ...wanted, quiet: true }, (row) => evidence.take(row));
  if (read !== exitCodes.ok && read !== exitCodes.degraded) return read;
  const trail = new AuditTrail(evidence);
  const code = await everyRow(state, wanted, (row) => {
    if (row.seq <= evidence.through) show(trail.take(row));
  });
  show(trail.rest());
  return code;
}
