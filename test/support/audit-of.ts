import type { AuditEntry } from '../../src/domain/views/audit/audit-entry.ts';
import { AuditTrail } from '../../src/domain/views/audit/audit-trail.ts';
import { RunEvidence } from '../../src/domain/views/audit/run-evidence.ts';
import type { JournalRow, SessionEvent } from '../../src/protocol/events/events.ts';

/** The audit of rows that are one second apart, as `synthesis audit` makes it: what came out with each, what was left. */
export function auditOf(events: readonly (readonly [session: string, event: SessionEvent])[]) {
  const rows = events.map(
    ([session, event], n): JournalRow => ({ seq: n + 1, at: Date.UTC(2026, 0, 1, 0, 0, n), session, event }),
  );
  const evidence = new RunEvidence();
  for (const row of rows) evidence.take(row);
  const fold = new AuditTrail(evidence);
  const steps: AuditEntry[][] = rows.map((row) => fold.take(row));
  return { steps, rest: fold.rest(), all: steps.flat() };
}
