// The entries of an audit, as `synthesis audit --json` prints them.
import type { Door, Verdict } from '../../../protocol/events/permission-events.ts';
import type { Asker } from './askers.ts';
import type { RanState } from './ran-state.ts';
import type { RunResult } from './run-evidence.ts';

/** One permission question from its asking to what came of it. The stable shape of `synthesis audit --json`. */
export interface AuditQuestion extends RanState {
  kind: 'question';
  session: string;
  code: string;
  asked_at: string;
  tool: string;
  input: unknown;
  rationale: string | null;
  /** Only a preview of the input was known. */
  cut: boolean;
  /** The turn that caused it, and who wrote that message; null when it was typed into Claude's terminal or is unknown. */
  turn: string | null;
  asked_by: Asker | null;
  /** The agent of Claude's that asked; null when it was Claude itself. */
  agent: { id: string; title: string | null } | null;
  answer: {
    verdict: Verdict;
    /** `bridge` and `expiry` are not people. */
    by: Door;
    who: string | null;
    reason: string | null;
    scope: 'once' | 'session';
    /** Digest of what whoever answered had been shown. */
    shown: string | null;
    at: string;
  } | null;
  outcome: { what: 'applied' | 'expired' | 'superseded'; detail: string | null; at: string } | null;
  /** What was heard of the tool's run; null when nothing was, which `ran_state` tells from not having run. */
  ran: { result: RunResult; output: string | null; at: string } | null;
}

/** Something that somebody did to a session besides answering. */
export interface AuditDeed {
  kind: 'deed';
  session: string;
  at: string;
  what:
    | 'typed'
    | 'drives'
    | 'drove'
    | 'interrupted'
    | 'wanted'
    | 'stopped'
    | 'removed'
    | 'forgotten'
    | 'guessed';
  by: string | null;
  detail: string | null;
}

export type AuditEntry = AuditQuestion | AuditDeed;
