// Whether a tool that was asked about ran. Each of both answers wants a piece of evidence; where there is none, nothing is
// known. That nobody answered is no evidence: somebody may have answered in Claude's own terminal.
import { ranInTerminal } from '../../question/outcome.ts';
import type { AuditQuestion } from './audit-entry.ts';

export interface RanState {
  /** null for a dialog of Claude Code: nothing runs in one. */
  ran_state: 'ran' | 'not_run' | 'unknown' | null;
  /** Why that is said, in words; null where nothing is known. */
  ran_evidence: string | null;
}

export interface RanFacts extends Pick<AuditQuestion, 'answer' | 'outcome' | 'ran'> {
  isDialog: boolean;
  /** The bridge held the call that it was about. */
  isHeld: boolean;
  /** The bridge dropped that call. */
  isDropped: boolean;
  /** It became a call of a lent tool, which was passed on. */
  isPassedOn: boolean;
}

const unknown: RanState = { ran_state: 'unknown', ran_evidence: null };
const ran = (evidence: string): RanState => ({ ran_state: 'ran', ran_evidence: evidence });
const notRun = (evidence: string): RanState => ({ ran_state: 'not_run', ran_evidence: evidence });

export function ranState(facts: RanFacts): RanState {
  const { answer, outcome, ran: heard, isDialog, isHeld, isDropped, isPassedOn } = facts;
  if (isDialog) return { ran_state: null, ran_evidence: null };
  if (heard && heard.result !== 'started') return ran('its result was reported');
  // Whoever got it may have run it, or not.
  if (isPassedOn) return unknown;
  if (isHeld) {
    const isOver = isDropped || outcome !== null;
    return isOver && !heard ? notRun('the bridge held the call and never passed it on') : unknown;
  }
  const isApplied = outcome?.what === 'applied';
  if (outcome?.detail === ranInTerminal || (isApplied && answer?.verdict === 'allow'))
    return ran('Claude Code reported that it ran');
  if (isApplied && answer?.verdict === 'deny' && !heard)
    return notRun('Claude Code was given the no, and went on without the tool');
  return unknown;
}
