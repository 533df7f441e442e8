import { never } from '../../base/never.ts';
import type { HubLink, SessionEvent } from '../../protocol/events/events.ts';
import type { FailureCode } from '../../protocol/events/failures.ts';
import type { CallerCommand } from '../commands.ts';
import { followed, isUnstarted, sameSettings } from '../follow-settings.ts';
import {
  cancelled,
  closeOrphans,
  dropCall,
  type End,
  settle,
  settleAll,
  startHeld,
  startNext,
  turnsLost,
} from '../settle.ts';
import {
  currentTurn,
  deliveringTurn,
  joiningTurns,
  queuedInClaude,
  runningTurn,
  type Session,
  type ToolCall,
} from '../state/session.ts';
import { isSettled, type Turn } from '../state/turn.ts';
import { isOutOfTurn, isOwnTool } from '../tools/own-tool.ts';
import { type Decision, nothing, refuse } from './decision.ts';
import { tasksLost } from './tasks-lost.ts';

type SessionCommand = Extract<
  CallerCommand,
  {
    type:
      | 'session.renew'
      | 'session.link'
      | 'session.configure'
      | 'session.label'
      | 'session.start'
      | 'session.stop'
      | 'session.remove'
      | 'session.recover'
      | 'session.adopt'
      | 'session.rest'
      | 'session.proceed'
      | 'catalog.set';
  }
>;

export function decideSession(session: Session, command: SessionCommand): Decision {
  switch (command.type) {
    case 'session.renew': {
      const { claude, launch, link } = command;
      return {
        events: [
          ...stop(session, 'a new conversation starts'),
          { type: 'session.claude', claude, launch },
          ...linked(session, link),
        ],
      };
    }
    case 'session.link':
      return { events: linked(session, command.link) };
    case 'session.configure':
      return { events: configure(session, command) };
    case 'session.label': {
      const { label } = command;
      if (label === session.label) return nothing;
      return { events: [{ type: 'session.labelled', ...(label !== undefined && { label }) }] };
    }
    case 'session.start':
      return session.agent.name === 'stopped' && session.claude && !session.removed
        ? { events: [{ type: 'agent.wanted', by: command.by }, ...startHeld(session)] }
        : refuse({ code: 'running' });
    case 'session.stop':
      return isAway(session) ? refuse({ code: 'not_running' }) : { events: stop(session, command.reason) };
    case 'session.remove':
      return { events: remove(session, command) };
    case 'session.recover':
      return { events: recover(session, command) };
    case 'session.adopt':
      return adopt(session, command);
    case 'session.rest':
      // Everything there is to do follows from what is so: see at-rest.ts.
      return nothing;
    case 'session.proceed':
      return { events: currentTurn(session) ? [] : startAny(session) };
    case 'catalog.set':
      return JSON.stringify(command.tools) === JSON.stringify(session.tools)
        ? nothing
        : { events: [{ type: 'catalog.changed', tools: command.tools }] };
    default:
      return never(command);
  }
}

/** A removed session takes what holds when it is opened again. */
function configure(
  session: Session,
  { launch, take }: Extract<SessionCommand, { type: 'session.configure' }>,
): SessionEvent[] {
  const { claude, removed } = session;
  if (!claude || removed) return [];
  const next = take === 'all' ? { launch } : followed(claude.launch, launch, isUnstarted(session));
  return sameSettings(next, claude) ? [] : [{ type: 'session.configured', ...next }];
}

function linked(session: Session, link: HubLink | undefined): SessionEvent[] {
  if (!link) return [];
  const { id, generation, source } = session.link ?? {};
  if (link.id === id && link.generation === generation && link.source === source) return [];
  return [{ type: 'session.linked', link }];
}

/** Claude Code does not run, and no message waits for a place to start it. */
export const isAway = (session: Session): boolean =>
  session.agent.name === 'stopped' && !currentTurn(session);

/** Only a process that there is can end, and tell so. */
const stopping = ({ agent }: Session, reason: string): SessionEvent[] =>
  agent.name === 'stopped' ? [] : [{ type: 'agent.stopping', reason }];

/** A prompt that is still on its way is taken back: else it would start Claude again. */
const takeBack = (turn: Turn | undefined, by: string): SessionEvent[] =>
  turn ? [{ type: 'turn.cancelling', turn: turn.id, by }] : [];

/** The turn in flight is cancelled; queued ones stay and start Claude again. */
function stop(session: Session, reason: string): SessionEvent[] {
  const delivering = deliveringTurn(session);
  const turns = [queuedInClaude(session), runningTurn(session), delivering];
  const ends = turns.flatMap((turn): End[] =>
    turn ? [[turn, { outcome: 'cancelled', detail: reason }]] : [],
  );
  return [
    ...takeBack(delivering, reason),
    ...stopping(session, reason),
    ...settleAll(session, ends),
    ...startHeld(session, ...ends.map(([turn]) => turn)),
  ];
}

function remove(
  session: Session,
  { keep = false, moved = false }: Extract<SessionCommand, { type: 'session.remove' }>,
): SessionEvent[] {
  return [
    ...takeBack(deliveringTurn(session), removedWords),
    ...stopping(session, removedWords),
    ...end(session, moved ? 'moved' : 'removed'),
    { type: 'session.removed', ...(!keep && { forget: true }) },
  ];
}

const removedWords = 'the session is removed';

/** Nothing of it goes on: whoever waits for one of its turns is told. */
export function end(session: Session, code: FailureCode): SessionEvent[] {
  const joining = joiningTurns(session);
  const ends = session.turns
    // What is on its way into the turn in flight ends with it.
    .filter((each) => !isSettled(each) && !joining.includes(each))
    .map((each): End => [each, { outcome: 'cancelled', code }]);
  const settled = settleAll(session, ends).filter(({ type }) => type !== 'turn.delivering');
  return [...closeOrphans(session, removedWords, ...ends), ...settled];
}

/**
 * After a start of the bridge: Claude ended with the last one, or with the machine it was on. A prompt that Claude cannot have seen is handed over
 * again, unless it was cancelled; one that it was working on, or may have been, ends in words, because its tools may
 * have run already.
 */
function recover(
  session: Session,
  { lost, left }: Extract<SessionCommand, { type: 'session.recover' }>,
): SessionEvent[] {
  const detail = lost === undefined ? 'the bridge restarted' : `${lost} went away`;
  const code = lost === undefined ? 'bridge_restarted' : 'machine_lost';
  const events: SessionEvent[] = [
    ...(session.agent.name === 'stopped'
      ? []
      : [
          {
            type: 'agent.exited' as const,
            detail: [detail, left].filter(Boolean).join('\n'),
            failure: code,
          } satisfies SessionEvent,
        ]),
    ...released(session, detail),
  ];
  const { ends, unseen } = turnsLost(session, { outcome: 'failed', code, detail });
  return [
    ...events,
    ...closeOrphans(session, detail, ...ends),
    ...settleAll(session, ends),
    ...(unseen ? [redeliver(unseen)] : startHeld(session, ...ends.map(([turn]) => turn))),
    ...tasksLost(session, detail),
  ];
}

/**
 * After a start of the bridge that finds Claude Code alive: it goes on where it is. Only what the bridge before took with
 * it is closed, and what it may not have done any more is done again: handing over what Claude cannot have seen, and
 * interrupting.
 */
function adopt(
  session: Session,
  { run, pid, typed }: Extract<SessionCommand, { type: 'session.adopt' }>,
): Decision {
  const { agent, calls } = session;
  if (agent.name !== 'ready' || session.run !== run) return refuse({ code: 'not_running' });
  const isCut = (call: ToolCall) => isOwnTool(session, call) || isOutOfTurn(session, call);
  const left = { ...session, calls: calls.filter((call) => !isCut(call)) };
  const reason = 'the bridge restarted while it ran: it may have been carried out';
  return {
    events: [
      { type: 'agent.adopted', pid },
      ...released(session, 'the bridge restarted'),
      ...calls.filter(isCut).map((call) => dropCall(call, reason)),
      ...goOn(left, agent.delivery === 'terminal' && !typed),
    ],
  };
}

/** @param untyped what hands the turn over did not reach Claude, whatever was written down before */
function goOn(session: Session, untyped: boolean): SessionEvent[] {
  const turns = [runningTurn(session), deliveringTurn(session)].filter((turn) => turn !== undefined);
  if (turns.length === 0) return startAny(session);
  // What held a message the bridge before looked after.
  return [...turns.flatMap((turn) => goOnWith(session, turn, untyped)), ...startHeld(session)];
}

/** What is next in line, held or not. */
const startAny = (session: Session): SessionEvent[] => [...startNext(session), ...startHeld(session)];

function goOnWith(session: Session, turn: Turn, untyped: boolean): SessionEvent[] {
  const { id, phase, cancelledBy, panic } = turn;
  const isUnseen = phase.name === 'delivering' && (!phase.handed || untyped);
  if (cancelledBy === undefined) return isUnseen ? [redeliver(turn)] : [];
  if (isUnseen) return settle(session, turn, cancelled(turn));
  return [{ type: 'turn.cancelling', turn: id, by: cancelledBy, ...(panic !== undefined && { panic }) }];
}

/** Whoever drove the terminal hung up with the bridge. */
const released = ({ lease }: Session, why: string): SessionEvent[] =>
  lease ? [{ type: 'lease.released', lease: lease.id, why }] : [];

const redeliver = ({ id, phase }: Turn): SessionEvent => ({
  type: 'turn.delivering',
  turn: id,
  attempt: phase.name === 'delivering' ? phase.attempt + 1 : 1,
});
