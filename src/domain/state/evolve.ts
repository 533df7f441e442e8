import type { SessionEvent } from '../../protocol/events/events.ts';
import { keepErrand } from './errands.ts';
import { evolveAgent } from './evolve-agent.ts';
import { evolvePermission } from './evolve-permission.ts';
import { evolveReply } from './evolve-reply.ts';
import { evolveResponse, withoutNewest, withoutResponses } from './evolve-response.ts';
import { evolveTask } from './evolve-task.ts';
import { evolveTurn, heardPhase, left, mapTurn, trimTurns } from './evolve-turn.ts';
import { afresh, withoutDues } from './removal.ts';
import { keptHeld, type Session } from './session.ts';
import { restoredSession } from './snapshot.ts';
import { isRunning } from './turn.ts';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

function evolveTool(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'tool.called': {
      const { call, tool, args } = event;
      const joined = {
        ...(event.agent !== undefined && { agent: event.agent }),
        ...(event.turn !== undefined && { turn: event.turn }),
        ...(event.tool_use !== undefined && { toolUse: event.tool_use }),
        ...(event.provider !== undefined && { provider: event.provider }),
      };
      return { ...session, calls: [...session.calls, { call, tool, args, ...joined }] };
    }
    case 'tool.progressed': {
      const { call, text: progress } = event;
      const calls = session.calls.map((each) => (each.call === call ? { ...each, progress } : each));
      return { ...session, calls };
    }
    case 'tool.answered':
    case 'tool.dropped':
      return { ...session, calls: session.calls.filter((call) => call.call !== event.call) };
    default:
      return session;
  }
}

function evolveSession(session: Session, event: SessionEvent, at: number): Session {
  switch (event.type) {
    case 'session.opened':
      return {
        ...(session.removed ? afresh(session) : session),
        ingress: event.ingress,
        guessed: event.guessed ?? false,
        openedAt: at,
        touchedAt: at,
        removed: false,
      };
    case 'session.claude':
      return {
        ...withoutNewest(session),
        claude: { id: event.claude, launch: event.launch, prompted: false },
      };
    case 'session.configured': {
      const { launch, waiting } = event;
      const { id, prompted } = session.claude ?? {};
      return id === undefined || prompted === undefined
        ? session
        : { ...session, claude: { id, launch, prompted, ...(waiting && { waiting }) } };
    }
    case 'session.labelled': {
      const { label: _, ...rest } = session;
      return event.label === undefined ? rest : { ...rest, label: event.label };
    }
    case 'session.linked':
      return { ...session, link: event.link };
    case 'session.restored':
      return restoredSession(session.key, event);
    case 'session.removed': {
      const { move: _, ...left } = event.forget ? withoutDues(session) : withoutResponses(session);
      return { ...left, removed: true };
    }
    case 'session.housed':
      return housed(session, event);
    case 'session.held':
      return { ...session, move: { node: event.node, as: 'held' } };
    case 'catalog.changed':
      return { ...session, tools: event.tools };
    case 'activity': {
      const { turn, agent } = event;
      const heard =
        turn === undefined || agent !== undefined
          ? session
          : mapTurn(session, turn, (each) => left({ ...each, phase: heardPhase(each.phase) }));
      return keepErrand(evolveTask(heard, event, at), event);
    }
    case 'task.began':
    case 'task.ended':
      return evolveTask(session, event, at);
    case 'prompt.held':
      return {
        ...session,
        held: [...session.held, event.text].slice(-keptHeld),
        turns: session.turns.map((each) => (isRunning(each) ? left(each) : each)),
      };
    case 'lease.taken':
      return { ...session, lease: { id: event.lease, by: event.by } };
    case 'lease.released': {
      const { lease, ...rest } = session;
      return lease?.id === event.lease ? rest : session;
    }
    default:
      return session;
  }
}

/** What arrives is kept like what was removed until it lives here. */
function housed(session: Session, { node }: EventOf<'session.housed'>): Session {
  const { move, ...rest } = session;
  if (node !== undefined) return { ...rest, move: { node, as: 'leaving' } };
  return move?.as === 'arriving' ? { ...rest, removed: false } : rest;
}

/**
 * Applies one stored event. Total: an event about something unknown changes nothing.
 *
 * @throws SnapshotNewerError for a state that a later release wrote
 */
export function evolve(session: Session, event: SessionEvent, at: number): Session {
  return heardIn(evolveRoom(session, event, at), event);
}

/** What of a process was heard. Of one that is gone nothing is to be heard any more. */
export function heardIn(session: Session, { heard }: SessionEvent): Session {
  if (heard === undefined || session.run === undefined) return session;
  return { ...session, heard: Math.max(session.heard ?? 0, heard) };
}

function evolveRoom(session: Session, event: SessionEvent, at: number): Session {
  const room = event.type.slice(0, event.type.indexOf('.') + 1 || undefined);
  switch (room) {
    case 'turn.':
    case 'answer.':
    case 'reader.':
      return evolveTurn(session, event, at);
    case 'agent.':
      return evolveAgent(session, event, at);
    case 'tool.':
      return evolveTool(session, event);
    case 'permission.':
      return evolvePermission(session, event);
    case 'response.':
      return evolveResponse(session, event, at);
    case 'reply.': {
      const next = evolveReply(session, event);
      return { ...next, turns: trimTurns(next.turns, next) };
    }
    default:
      return evolveSession(session, event, at);
  }
}
