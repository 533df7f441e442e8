import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { CallerCommand } from '../commands.ts';
import { newerMessage, reachable } from '../message/steer.ts';
import { cancelled, type Ending, settle, startBehind, startNext } from '../settle.ts';
import {
  currentTurn,
  emptySession,
  findTurn,
  queuedInClaude,
  queuedTurns,
  type Session,
} from '../state/session.ts';
import { holdOf, isSettled, type Turn } from '../state/turn.ts';
import { type Decision, type Limits, nothing, refuse } from './decision.ts';
import { openSession } from './open-session.ts';

type TurnCommand = Extract<
  CallerCommand,
  { type: 'turn.submit' | 'turn.cancel' | 'turn.withdraw' | 'turn.expire' | 'reader.close' }
>;
type Submit = Extract<CallerCommand, { type: 'turn.submit' }>;

export function decideTurn(session: Session, command: TurnCommand, limits: Limits): Decision {
  switch (command.type) {
    case 'turn.submit':
      return submit(session, command, limits);
    case 'turn.cancel':
      return cancel(session, command.turn, command.by);
    case 'turn.withdraw':
      return withdraw(session, command.turn);
    case 'turn.expire': {
      const turn = findTurn(session, command.turn);
      if (!turn || isSettled(turn)) return refuse({ code: 'unknown_turn' });
      const { code, detail } = command;
      const ending: Ending = turn.cancelledBy
        ? { outcome: 'cancelled', code, detail, ...(turn.panic !== undefined && cancelled(turn)) }
        : { outcome: 'expired', code, detail };
      return { events: settle(session, turn, ending) };
    }
    case 'reader.close': {
      if (!findTurn(session, command.turn)) return refuse({ code: 'unknown_turn' });
      const { turn, request, start, offset, why } = command;
      return { events: [{ type: 'reader.closed', turn, request, start, offset, why }] };
    }
    default:
      return never(command);
  }
}

/** A repeat of a message that is known never prompts Claude twice. */
export function findRepeat(session: Session, dedup: Submit['dedup']): Turn | undefined {
  // Of a conversation that was removed nothing is repeated.
  if (!dedup || session.removed) return undefined;
  const same = session.turns.findLast((turn) => turn.dedup === dedup.key);
  return same && (dedup.repeat === 'always' || !same.answered) ? same : undefined;
}

function submit(session: Session, command: Submit, limits: Limits): Decision {
  const repeat = findRepeat(session, command.dedup);
  if (repeat) return refuse({ code: 'duplicate', turn: repeat.id });
  // Whatever there was of a conversation that was removed ends here.
  const now = session.removed ? emptySession(session.key) : session;
  const waiting = queuedTurns(now);
  const oldest = waiting[0];
  const gone = oldest && waiting.length >= limits.queued ? oldest : undefined;
  const { turn, ingress, text, sender, dedup } = command;
  const next = begins(now, waiting, gone, turn);
  return {
    events: [
      ...openSession(session, command),
      ...(gone ? [overflow(gone)] : []),
      {
        type: 'turn.queued',
        turn,
        ingress,
        text,
        meta: command.meta ?? {},
        ...(sender && { sender }),
        ...(dedup && { dedup: dedup.key }),
        ...(command.parts && { parts: command.parts }),
        ...(command.quotes && { quotes: command.quotes }),
        ...(command.mode === 'steer' && { steer: true }),
        ...(command.trace !== undefined && { trace: command.trace }),
      },
      ...(command.reply
        ? [{ type: 'reply.owed' as const, reply: command.reply.id, turn, meta: command.reply.meta }]
        : []),
      ...(next === undefined ? [] : [{ type: 'turn.delivering' as const, turn: next, attempt: 1 }]),
      ...(command.mode === 'interrupt' ? makeRoom(now, command) : []),
    ],
  };
}

/** The message that is handed over now, if any. @param gone the oldest one, which gives way */
function begins(
  session: Session,
  waiting: readonly Turn[],
  gone: Turn | undefined,
  submitted: string,
): string | undefined {
  if (currentTurn(session) || queuedInClaude(session)) return undefined;
  if (gone && holdOf(gone)) return waiting[1]?.id ?? submitted;
  return waiting.length > 0 ? undefined : submitted;
}

function makeRoom(session: Session, { ingress, meta = {} }: Submit): SessionEvent[] {
  const turn = reachable(session, { ingress, meta });
  return turn ? [{ type: 'turn.cancelling', turn: turn.id, by: newerMessage }] : [];
}

const overflow = (turn: Turn): SessionEvent => ({
  type: 'turn.settled',
  turn: turn.id,
  outcome: 'failed',
  code: 'overflow',
});

/** Only what Claude cannot have seen can be taken back. */
function withdraw(session: Session, id: string): Decision {
  const turn = findTurn(session, id);
  const phase = turn?.phase;
  const onItsWay = phase?.name === 'delivering' && !phase.handed;
  if (phase?.name !== 'queued' && !onItsWay) return refuse({ code: 'unknown_turn' });
  return {
    events: [
      { type: 'turn.withdrawn', turn: id },
      ...(turn ? (onItsWay ? startNext : startBehind)(session, turn) : []),
    ],
  };
}

function cancel(session: Session, id: string | undefined, by: string): Decision {
  const turn = id === undefined ? currentTurn(session) : findTurn(session, id);
  if (!turn || isSettled(turn)) return refuse({ code: id === undefined ? 'no_turn' : 'unknown_turn' });
  if (turn.phase.name === 'queued')
    return { events: settle(session, turn, { outcome: 'cancelled', detail: by }) };
  // What Claude got with it cannot be taken out again.
  if (turn.phase.name === 'joining') return cancel(session, turn.phase.into, by);
  return turn.cancelledBy ? nothing : { events: [{ type: 'turn.cancelling', turn: turn.id, by }] };
}
