// What `synthesis audit` shows: the verdict on the journal, as bridge and command line exchange it.

export interface AuditFault {
  /** The first row that is wrong or missing; 0 when it is an anchor. */
  seq: number;
  /** ISO time and session key of that row, as far as it is there. */
  at: string | null;
  session: string | null;
  why: string;
}

/** What the key alone does not prove. */
export interface AuditGap {
  /** `removed`: archived, and not kept any more, as the owner wants it. */
  kind: 'unkeyed' | 'other_key' | 'repaired' | 'removed';
  /** The rows it concerns; `to` < `from` for none that is still there. */
  from: number;
  to: number;
  /** When it came to be, ISO time; of removed rows, when they had been archived. */
  at: string;
  /** A matching anchor that was taken later answers for it. */
  anchored: boolean;
  words: string;
}

/** The stable `--json` shape of `synthesis audit verify`. */
export interface AuditVerdict {
  /** `partly`: nothing is wrong, but there is a gap that no anchor answers for. Rows that were removed do not count. */
  outcome: 'proven' | 'partly' | 'failed';
  rows: number;
  /** Those of them whose conversation was removed: they are there, and what they said is not. */
  forgotten: number;
  /** Names the key it was checked with; null when there is none. */
  key: string | null;
  fault: AuditFault | null;
  gaps: AuditGap[];
  /** Matching anchors, oldest first. */
  anchors: { seq: number; at: string }[];
}
