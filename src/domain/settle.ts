import type { SessionEvent } from '../protocol/events/events.ts';
import type { FailureCode } from '../protocol/events/failures.ts';
import { isDialog } from './question/dialog-question.ts';
import { missingText } from './state/answer.ts';
import {
  type Ask,
  currentTurn,
  deliveringTurn,
  joiningTurns,
  queuedInClaude,
  queuedTurns,
  runningTurn,
  type Session,
  type ToolCall,
  unsettledAsks,
} from './state/session.ts';
import { holdOf, type Turn } from './state/turn.ts';

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
  if (turn.phase.name === 'queued' || turn.phase.name === 'joining')
    return [settled(turn, ending), ...startBehind(session, turn)];
  const rest = missingText(turn.answer, ending.last);
  const empty = ending.outcome === 'completed' && turn.answer.text.length + rest.length === 0;
  return [
    ...(rest === '' ? [] : [{ type: 'answer.repaired' as const, turn: turn.id, text: rest }]),
    ...closeWaits(session, turn, ending),
    ...joiningTurns(session).map((each) => endsIn(turn, each, ending)),
    settled(turn, empty ? { code: 'empty_answer', ...ending } : ending),
    ...startNext(session, turn),
  ];
}

export type End = readonly [Turn, Ending];

/**
 * Claude Code is gone. What it had, or may have had, ends; what it cannot have seen may be handed over again. A message
 * that was cancelled before it was seen ends as such, and so does what a panic has stopped.
 */
export function turnsLost(session: Session, ending: Ending): { ends: End[]; unseen?: Turn } {
  const delivering = deliveringTurn(session);
  const isUnseen = delivering?.phase.name === 'delivering' && !delivering.phase.handed;
  const unseen = isUnseen && delivering.cancelledBy === undefined ? delivering : undefined;
  const lost = [queuedInClaude(session), runningTurn(session), unseen ? undefined : delivering];
  const ends = lost.flatMap((turn): End[] => {
    if (!turn) return [];
    const wasCancelled = turn.panic !== undefined || (turn === delivering && isUnseen);
    return [[turn, wasCancelled ? cancelled(turn) : ending]];
  });
  return { ends, ...(unseen && { unseen }) };
}

/** Ends several at once: what waits behind all of them is sent on its way. */
export function settleAll(session: Session, ends: readonly End[]): SessionEvent[] {
  const settled = ends.flatMap(([turn, ending]) => settle(session, turn, ending));
  return [
    ...settled.filter(({ type }) => type !== 'turn.delivering'),
    ...startNext(session, ...ends.map(([turn]) => turn)),
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

/** What Claude Code had in its own queue when it became idle went into the turn before. */
export const endQueued = (session: Session, queued: Turn): SessionEvent[] => {
  const into = queued.phase.name === 'joining' ? queued.phase.into : queued.id;
  return [joined(queued, into), ...startNext(session, queued)];
};

function closeWaits(session: Session, turn: Turn, ending: Ending): SessionEvent[] {
  const reason = `the turn ended (${ending.outcome})`;
  const isOver = (wait: Wait) => closes(session, turn, ending, wait);
  return [
    ...session.calls.filter(isOver).map((call) => dropCall(call, reason)),
    ...unsettledAsks(session)
      .filter(isOver)
      .flatMap((ask) => [closeWithTurn(ask, ending), ...dropWaiting(ask, reason)]),
  ];
}

type Wait = ToolCall | Ask;

/** The turn that a wait belongs to is its own as long as that is in flight; else the one that is. */
function closes(session: Session, turn: Turn, ending: Ending, wait: Wait): boolean {
  const inFlight = [runningTurn(session), deliveringTurn(session)];
  const owner = inFlight.find((each) => each && each.id === wait.turn) ?? currentTurn(session);
  return owner?.id === turn.id && endsWith(turn, ending, wait);
}

/**
 * Only what the main thread waits for ends with its turn; a call of a lent tool and the question about one only when that
 * did not end well, for Claude Code may go on with it in the background. Where Claude Code is gone, nobody waits.
 *
 * A wait without a turn is one of the same Claude, which waits for nothing any more when its turn ends.
 */
function endsWith(turn: Turn, ending: Ending, wait: Wait): boolean {
  if (isGone(ending)) return true;
  // It stands until it is seen to be gone.
  if ('state' in wait && isDialog(wait)) return false;
  if (wait.agent !== undefined || (wait.turn !== turn.id && wait.turn !== undefined)) return false;
  return ending.outcome !== 'completed' || wait.call === undefined;
}

const isGone = ({ code }: Ending): boolean => code !== undefined && goneWords[code] !== undefined;

/** Ends of a turn with which Claude Code went away, and nobody can answer any more. */
const goneWords: Partial<Record<FailureCode, string>> = {
  bridge_restarted: 'the bridge restarted',
  machine_lost: 'its machine lost touch with the others',
  shutting_down: 'the bridge stopped',
  exited: 'Claude Code ended',
  lost_track: 'the bridge lost track of it',
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

/** Claude Code is gone: closes every wait but those that `settle` closes with one of these ends. */
export function closeOrphans(session: Session, detail: string, ...ends: readonly End[]): SessionEvent[] {
  const orphan = (wait: Wait) => !ends.some(([turn, ending]) => closes(session, turn, ending, wait));
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

/** One message at a time: nothing is handed over while another is on its way. @param ended turns that just end */
export function startNext(session: Session, ...ended: readonly Turn[]): SessionEvent[] {
  const next = nextTurn(session, ended);
  return next && !holdOf(next) ? [delivering(next)] : [];
}

/** What was held is tried again. @param ended as in {@link startNext} */
export function startHeld(session: Session, ...ended: readonly Turn[]): SessionEvent[] {
  const next = nextTurn(session, ended);
  return next && holdOf(next) ? [delivering(next)] : [];
}

/** A message goes out of the line. If it was held, so was what waits behind it, which now has its own try. */
export const startBehind = (session: Session, turn: Turn): SessionEvent[] =>
  holdOf(turn) && !runningTurn(session) ? startNext(session, turn) : [];

function nextTurn(session: Session, ended: readonly Turn[]): Turn | undefined {
  const onTheirWay = [queuedInClaude(session), deliveringTurn(session)];
  if (onTheirWay.some((turn) => turn && !ended.includes(turn))) return undefined;
  return queuedTurns(session).find((turn) => !ended.includes(turn));
}

const delivering = ({ id }: Turn): SessionEvent => ({ type: 'turn.delivering', turn: id, attempt: 1 });
