import type { SessionEvent } from '../protocol/events/events.ts';
import type { FailureCode } from '../protocol/events/failures.ts';
import { missingText } from './state/answer.ts';
import {
  type Ask,
  joiningTurns,
  queuedTurns,
  type Session,
  type ToolCall,
  type Turn,
  unsettledAsks,
} from './state/session.ts';

export interface Ending {
  outcome: 'completed' | 'failed' | 'cancelled' | 'expired';
  code?: FailureCode;
  detail?: string;
  /** Claude Code's own copy of the last message. */
  last?: string;
}

/** How a turn ends that somebody interrupted. */
export const cancelled = ({ cancelledBy, panic }: Turn): Ending => ({
  outcome: 'cancelled',
  ...(panic !== undefined && { code: 'panic' as const }),
  ...(cancelledBy !== undefined && { detail: cancelledBy }),
});

/** Ends a turn: repairs its text, closes its waits, and sends the next one on its way. */
export function settle(session: Session, turn: Turn, ending: Ending): SessionEvent[] {
  // Claude never saw it: what waits is another turn's, which is in flight.
  if (turn.phase.name === 'queued' || turn.phase.name === 'joining') return [settled(turn, ending)];
  const rest = missingText(turn.answer, ending.last);
  const empty = ending.outcome === 'completed' && turn.answer.text.length + rest.length === 0;
  return [
    ...(rest === '' ? [] : [{ type: 'answer.repaired' as const, turn: turn.id, text: rest }]),
    ...closeWaits(session, turn, ending),
    ...joiningTurns(session).map((each) => endsIn(turn, each, ending)),
    settled(turn, empty ? { code: 'empty_answer', ...ending } : ending),
    ...startNext(session),
  ];
}

const settled = (turn: Turn, { outcome, code, detail }: Ending): SessionEvent => ({
  type: 'turn.settled',
  turn: turn.id,
  outcome,
  ...(code && { code }),
  ...(detail !== undefined && { detail }),
});

/** Nobody has said whether Claude got it: the end of the turn it went into says so, or is its own. */
const endsIn = (turn: Turn, joining: Turn, ending: Ending): SessionEvent =>
  ending.outcome === 'completed' ? joined(joining, turn.id) : settled(joining, ending);

/** @param into the turn in which Claude got it */
export const joined = (turn: Turn, into: string): SessionEvent => ({
  type: 'turn.settled',
  turn: turn.id,
  outcome: 'completed',
  into,
});

function closeWaits(session: Session, turn: Turn, ending: Ending): SessionEvent[] {
  const reason = `the turn ended (${ending.outcome})`;
  return [
    ...session.calls.filter((call) => endsWith(turn, call)).map((call) => dropCall(call, reason)),
    ...unsettledAsks(session)
      .filter((ask) => endsWith(turn, ask))
      .flatMap((ask) => [closeWithTurn(ask, ending), ...dropWaiting(ask, reason)]),
  ];
}

/** A wait without a turn is one of the same Claude, which waits for nothing any more when its turn ends. */
const endsWith = (turn: Turn, wait: { turn?: string }): boolean =>
  wait.turn === turn.id || wait.turn === undefined;

/** Ends of a turn with which Claude Code went away, and nobody can answer any more. */
const goneWords: Partial<Record<FailureCode, string>> = {
  bridge_restarted: 'the bridge restarted',
  machine_lost: 'its machine lost touch with the others',
  shutting_down: 'the bridge stopped',
  exited: 'Claude Code ended',
};

function closeWithTurn(ask: Ask, { outcome, code }: Ending): SessionEvent {
  const gone = code && goneWords[code];
  if (gone) return closeAsk(ask, 'expired', gone);
  // A denial that was handed over took effect: the turn went on and ended without its tool.
  const { state } = ask;
  if (state.name === 'sent' && state.verdict === 'deny')
    return { type: 'permission.settled', code: ask.code, outcome: 'applied' };
  return closeAsk(ask, outcome === 'expired' ? 'expired' : 'superseded', `the turn ended (${outcome})`);
}

/** Claude Code is gone: closes every wait but those that `settle` closes with `ending`. */
export function closeOrphans(session: Session, ending: Turn | undefined, detail: string): SessionEvent[] {
  const orphan = (wait: { turn?: string }) => ending === undefined || !endsWith(ending, wait);
  return [
    ...session.calls.filter(orphan).map((call) => dropCall(call, detail)),
    ...unsettledAsks(session)
      .filter(orphan)
      .flatMap((ask) => [closeAsk(ask, 'expired', detail), ...dropWaiting(ask, detail)]),
  ];
}

/** The call of a lent tool that waited for the answer. */
const dropWaiting = ({ call }: Ask, reason: string): SessionEvent[] =>
  call === undefined ? [] : [{ type: 'tool.dropped', call, reason }];

export const dropCall = (call: ToolCall, reason: string): SessionEvent => ({
  type: 'tool.dropped',
  call: call.call,
  reason,
});

const closeAsk = (ask: Ask, outcome: 'expired' | 'superseded', detail: string): SessionEvent => ({
  type: 'permission.settled',
  code: ask.code,
  outcome,
  detail,
});

/** One turn in flight: called only where the current one just ended. */
export function startNext(session: Session): SessionEvent[] {
  const next = queuedTurns(session)[0];
  return next ? [{ type: 'turn.delivering', turn: next.id, attempt: 1 }] : [];
}
