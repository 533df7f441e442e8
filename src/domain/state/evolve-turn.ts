import type { SessionEvent } from '../../protocol/events/events.ts';
import { addDelta, appendText, leave, noAnswer } from './answer.ts';
import { withoutNewest } from './evolve-response.ts';
import { forgetOldest } from './forget.ts';
import { findTurn, keptReads, keptTurns, owedReplies, type Session } from './session.ts';
import { isRunning, isSettled, type RunningPhase, type Turn, type TurnPhase } from './turn.ts';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

export function mapTurn(session: Session, id: string, change: (turn: Turn) => Turn): Session {
  const at = session.turns.findIndex((turn) => turn.id === id);
  const turn = session.turns[at];
  return turn ? { ...session, turns: session.turns.with(at, change(turn)) } : session;
}

/**
 * Forgets the turns that ended first. One that ran long may have been accepted before all of them, and is about to be
 * read. What is owed to a hub stays longer, and does not push out what others may still read.
 */
export function trimTurns(turns: readonly Turn[], session: Session): readonly Turn[] {
  // Whoever began a task may answer what it asks, and a call may outlive its turn.
  const owed = new Set([...owedReplies(session), ...session.tasks, ...session.calls].map(({ turn }) => turn));
  const over = turns.filter((turn) => isSettled(turn) && !owed.has(turn.id)).sort(byEnd);
  return forgetOldest(turns, over, keptTurns);
}

const byEnd = (left: Turn, right: Turn) => (left.ended ?? 0) - (right.ended ?? 0);

function addTurn(session: Session, event: EventOf<'turn.queued' | 'turn.adopted'>, at: number): Session {
  const adopted = event.type === 'turn.adopted';
  const { ingress, meta, sender } = adopted ? (event.origin ?? typed) : event;
  const turn: Turn = {
    id: event.turn,
    ingress,
    text: event.text,
    meta,
    adopted,
    ...(adopted && event.origin && { origin: event.origin.by }),
    acceptedAt: at,
    phase: adopted
      ? {
          name: 'running',
          ...(event.prompt !== undefined && { prompt: event.prompt }),
          ...(event.told && { told: event.told }),
        }
      : { name: 'queued' },
    answer: noAnswer,
    handed: 0,
    answered: false,
    reads: [],
    ...(sender && { sender }),
    ...(!adopted && event.dedup !== undefined && { dedup: event.dedup }),
    ...(!adopted && event.parts && { parts: event.parts }),
    ...(!adopted && event.quotes && { quotes: event.quotes }),
    ...(!adopted && event.steer && { steer: event.steer }),
    ...(!adopted && event.trace !== undefined && { trace: event.trace }),
  };
  const before = adopted || event.ingress !== 'openai' ? session : withoutNewest(session);
  return {
    ...before,
    touchedAt: at,
    turns: trimTurns([...session.turns, turn], session),
    // What Claude Code had in its queue it took then.
    ...(adopted && !event.told && { held: [] }),
    ...(adopted && event.origin?.by === 'continued' && { sentOn: true }),
  };
}

const typed: Pick<Turn, 'ingress' | 'meta' | 'sender'> = { ingress: 'operator', meta: {} };

/** Applies a `turn.`, `answer.` or `reader.` event. @param at wall clock, epoch ms */
export function evolveTurn(session: Session, event: SessionEvent, at: number): Session {
  switch (event.type) {
    case 'turn.queued':
    case 'turn.adopted':
      return addTurn(session, event, at);
    case 'turn.delivering':
      return mapTurn(session, event.turn, (turn) => ({
        ...turn,
        phase: { name: 'delivering', attempt: event.attempt },
      }));
    case 'turn.handed':
      return mapTurn(session, event.turn, (turn) =>
        turn.phase.name === 'delivering' ? { ...turn, phase: { ...turn.phase, handed: true } } : turn,
      );
    case 'turn.running': {
      const begins = findTurn(session, event.turn)?.phase.name !== 'running';
      const next = mapTurn(session, event.turn, (turn) => ({ ...turn, phase: runs(turn, event.prompt) }));
      const claude = next.claude ? { claude: { ...next.claude, prompted: true } } : {};
      return { ...next, ...claude, ...(begins && { held: [] }) };
    }
    case 'turn.rested': {
      const rested = event.last === undefined ? {} : { last: event.last };
      return mapTurn(
        mapRunning(session, event.turn, (phase) => ({ ...phase, rested })),
        event.turn,
        left,
      );
    }
    case 'turn.resumed': {
      const next = mapRunning(session, event.turn, ({ rested: _, ...phase }) => phase);
      return { ...next, sentOn: true };
    }
    case 'turn.cancelling':
      return mapTurn(session, event.turn, (turn) => ({
        ...turn,
        cancelledBy: event.by,
        ...(event.panic !== undefined && { panic: event.panic }),
      }));
    case 'turn.joining': {
      const { into, hook, queued } = event;
      const how = { ...(hook !== undefined && { hook }), ...(queued && { queued }) };
      return mapTurn(session, event.turn, (turn) => ({ ...turn, phase: { name: 'joining', into, ...how } }));
    }
    case 'turn.withdrawn': {
      const responses = session.responses.filter(({ turn }) => turn !== event.turn);
      return { ...session, turns: session.turns.filter(({ id }) => id !== event.turn), responses };
    }
    case 'turn.held': {
      const { code, detail } = event;
      const phase = { name: 'queued' as const, held: { code, detail } };
      return mapTurn(session, event.turn, (turn) => ({ ...turn, phase, waited: true }));
    }
    case 'turn.requeued':
    case 'turn.parted':
      return mapTurn(session, event.turn, (turn) => ({ ...turn, phase: { name: 'queued' } }));
    case 'turn.settled': {
      const { outcome, code, detail, into } = event;
      const phase = {
        name: 'settled' as const,
        outcome,
        ...(code && { code }),
        ...(detail !== undefined && { detail }),
        ...(into !== undefined && { into }),
      };
      const ended = Math.max(0, ...session.turns.map((turn) => turn.ended ?? 0)) + 1;
      const next = mapTurn(session, event.turn, (turn) => ({
        ...turn,
        phase: { ...phase, ...promptOf(turn) },
        ended,
      }));
      return { ...next, touchedAt: at, turns: trimTurns(next.turns, session) };
    }
    case 'answer.delta':
      // The most of all by far: no list for one.
      return mapTurn(session, event.turn, (turn) => ({
        ...turn,
        answer: addDelta(turn.answer, event),
        phase: heardPhase(turn.phase),
      }));
    case 'answer.repaired':
      return mapTurn(session, event.turn, (turn) => ({
        ...turn,
        answer: appendText(turn.answer, event.text),
      }));
    case 'reader.closed':
      return mapTurn(handOut(session, event), event.turn, (turn) => closeReader(turn, event));
    default:
      return session;
  }
}

const promptOf = ({ phase }: Turn) =>
  phase.name === 'running' && phase.prompt !== undefined
    ? { prompt: phase.prompt, ...(phase.earlier && { earlier: phase.earlier }) }
    : {};

/** With one prompt more, if it runs already. */
function runs({ phase }: Turn, prompt: string | undefined): RunningPhase {
  const news = prompt === undefined ? {} : { prompt };
  if (phase.name !== 'running') return { name: 'running', ...news };
  const { prompt: before, earlier = [] } = phase;
  return before === undefined || before === prompt
    ? { ...phase, ...news }
    : { ...phase, ...news, earlier: [...earlier, before] };
}

/** @param texts of this turn, in order */
export const withTexts = (session: Session, id: string, texts: readonly EventOf<'answer.delta'>[]): Session =>
  mapTurn(session, id, (turn) => ({
    ...turn,
    answer: texts.reduce(addDelta, turn.answer),
    phase: heardPhase(turn.phase),
  }));

/** Something was heard of it: what Claude Code tells from now on is another turn. */
export function heardPhase(phase: TurnPhase): TurnPhase {
  if (phase.name !== 'running' || !phase.told) return phase;
  const { told: _, ...heard } = phase;
  return heard;
}

/** What it says next has something in front of it. */
export const left = (turn: Turn): Turn => ({ ...turn, answer: leave(turn.answer) });

const mapRunning = (session: Session, id: string, change: (phase: RunningPhase) => RunningPhase): Session =>
  mapTurn(session, id, (turn) => (isRunning(turn) ? { ...turn, phase: change(turn.phase) } : turn));

/** The calls of the turn that a response has ended with. */
function handOut(session: Session, { turn, why }: EventOf<'reader.closed'>): Session {
  if (why !== 'tool_calls') return session;
  const calls = session.calls.map((call) => (call.turn === turn ? { ...call, handed: true as const } : call));
  return { ...session, calls };
}

function closeReader(turn: Turn, event: EventOf<'reader.closed'>): Turn {
  const { request, start, offset, why } = event;
  const reads = [...turn.reads.filter((read) => read.request !== request), { request, start }].slice(
    -keptReads,
  );
  return {
    ...turn,
    reads,
    handed: Math.max(turn.handed, offset),
    answered: turn.answered || why === 'finished',
  };
}
