// What `synthesis audit` and `logs` need of the journal while no bridge runs.
import type { AuditVerdict } from '../domain/views/audit/audit.ts';
import type { JournalStats } from '../domain/views/journal.ts';
import type { JournalRow } from '../protocol/events/events.ts';
import { OperatorError } from './app/operator/operator-error.ts';
import { resolveSession } from './app/operator/session-ref.ts';
import { archivedSegments } from './journal/archive/archived-rows.ts';
import { readSegment } from './journal/archive/read-segment.ts';
import { archiveFolder } from './journal/archive/segments.ts';
import type { ChainKey } from './journal/chain/chain-key.ts';
import { keyForReading } from './journal/chain/key-source.ts';
import { JournalError } from './journal/journal-error.ts';
import { StoppedJournal } from './journal/read/stopped-journal.ts';
import { decodeRow } from './journal/write/pending-rows.ts';

export { JournalError, OperatorError };

export interface StoppedAudit {
  /** Every row, the archived ones too, oldest first; of one session when `ref` names it. */
  events(ref: string | undefined): AsyncIterable<JournalRow>;
  /** Rows behind `origin`, up to which they are in the archive alone, of all sessions; and the key that `ref` stands for. */
  kept(ref: string | undefined): { key: string | undefined; origin: number; rows: Iterable<JournalRow> };
  verify(anchors: readonly string[]): Promise<AuditVerdict>;
  anchor(): Promise<string>;
  stats(): JournalStats;
}

/**
 * @returns undefined when there is no journal
 * @throws JournalError in words, also later
 */
export function stoppedAudit(
  stateDir: string,
  keyCommand: readonly string[] | undefined,
): StoppedAudit | undefined {
  const journal = StoppedJournal.at(stateDir);
  if (!journal) return undefined;
  const key = () => keyForReading(stateDir, keyCommand);
  const keyOf = (ref: string | undefined) =>
    ref === undefined ? undefined : resolveSession(journal.sessions(), ref).key;
  return {
    events: (ref) => journal.events(keyOf(ref)),
    kept: (ref) => ({ key: keyOf(ref), ...journal.kept() }),
    verify: async (anchors) => {
      const known = await key();
      return known ? journal.verify(known, anchors) : withoutKey;
    },
    stats: () => journal.stats(),
    anchor: async () => journal.anchor(needed(await key()), Date.now()),
  };
}

/**
 * The rows of the archive, oldest first, while a bridge has the journal.
 * @param origin seq of the last row that is in the archive alone
 * @throws SegmentDamagedError
 */
export async function* archivedRows(stateDir: string, origin: number): AsyncGenerator<JournalRow> {
  for (const { path } of archivedSegments(archiveFolder(stateDir), { seq: origin }))
    for await (const row of readSegment(path)) yield decodeRow(row);
}

const noKey = 'there is no key: `audit.key` is missing in the state folder';

const withoutKey: AuditVerdict = {
  outcome: 'failed',
  rows: 0,
  forgotten: 0,
  key: null,
  fault: { seq: 0, at: null, session: null, why: `${noKey}; nothing can be proven` },
  gaps: [],
  anchors: [],
};

function needed(key: ChainKey | undefined): ChainKey {
  if (key) return key;
  throw new JournalError('audit_key', noKey, 'put it back, or start the bridge once: it makes a new one');
}
