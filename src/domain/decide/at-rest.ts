// What holds while everything is stopped. Every command is decided as always; then whatever would begin is taken out,
// and whatever still goes on is brought to rest in the same step. One rule, so that no command can be forgotten.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import type { Command } from '../commands.ts';
import { type DecidedEvent, unanswered } from '../question/ask-events.ts';
import { evolve } from '../state/evolve.ts';
import { stoppedWords } from '../state/panic.ts';
import {
  currentTurn,
  deliveringTurn,
  findTurn,
  openAsks,
  runningTurn,
  type Session,
} from '../state/session.ts';
import { beginsWork, type Decision, refuse } from './decision.ts';

/** @param decision what would be done if nothing were stopped */
export function whilePanic(
  session: Session,
  command: Command,
  decision: Decision,
  panic: PanicRecord,
): Decision {
  if ('rejection' in decision) return decision;
  // A repeat of a known message was refused as one: its answer may still be read.
  if (beginsWork(session, command) || command.type === 'lease.take')
    return refuse({ code: 'panic', since: panic.since });
  const events = decision.events.flatMap((event) =>
    event.type === 'tool.called'
      ? [
          {
            type: 'tool.dropped' as const,
            call: event.call,
            reason: stoppedWords(panic),
            denied: true as const,
          },
        ]
      : heldBack(session, event),
  );
  return { events: [...events, ...toRest(fold(session, events), panic)] };
}

/**
 * Brings a session to rest: what is asked is denied, calls are dropped, a message that Claude cannot have seen goes back
 * in line, the turn is interrupted. Claude Code itself is ended once it has no turn, so that nothing it left
 * running in the background begins a new one; its conversation is resumed by the next message.
 */
function toRest(session: Session, panic: PanicRecord): SessionEvent[] {
  const reason = stoppedWords(panic);
  const waits: SessionEvent[] = [
    ...openAsks(session).map((ask) => unanswered(ask, denied(ask.code, reason))),
    ...session.calls.map(({ call }): SessionEvent => ({ type: 'tool.dropped', call, reason })),
    ...(session.lease ? [{ type: 'lease.released' as const, lease: session.lease.id, why: reason }] : []),
    ...interrupted(session, panic),
  ];
  const after = fold(session, waits);
  const { name } = after.agent;
  const lives = name === 'starting' || name === 'dialog' || name === 'ready';
  return lives && !currentTurn(after) ? [...waits, { type: 'agent.stopping', reason }] : waits;
}

const denied = (code: string, reason: string): DecidedEvent => ({
  type: 'permission.decided',
  code,
  verdict: 'deny',
  by: 'bridge',
  reason,
  scope: 'once',
});

const interrupted = (session: Session, panic: PanicRecord): SessionEvent[] =>
  [runningTurn(session), deliveringTurn(session)].flatMap((turn): SessionEvent[] => {
    if (!turn || turn.cancelledBy !== undefined) return [];
    if (turn.phase.name === 'delivering' && !turn.phase.handed)
      return [{ type: 'turn.requeued', turn: turn.id }];
    return [{ type: 'turn.cancelling', turn: turn.id, by: stoppedWords(panic), panic: panic.since }];
  });

/** No message is handed over: one that was to be goes back in line. */
export function heldBack(session: Session, event: SessionEvent): SessionEvent[] {
  if (event.type !== 'turn.delivering') return [event];
  return findTurn(session, event.turn)?.phase.name === 'delivering'
    ? [{ type: 'turn.requeued', turn: event.turn }]
    : [];
}

/** The time is only a label of what is thrown away again. */
const fold = (session: Session, events: readonly SessionEvent[]): Session =>
  events.reduce((state, event) => evolve(state, event, session.touchedAt), session);
