// What Claude did and asked in the middle of its answers, as events tell it.
import type { SessionEvent } from '../../../protocol/events/events.ts';
import type { Session } from '../../state/session.ts';
import { decided, end, proven, turnEnded } from './step-ends.ts';

/** Something Claude did, or asked, in the middle of an answer. */
export interface Step {
  /** Claude's tool use id, the call id, or the code of the question. */
  id: string;
  kind: 'tool' | 'lent' | 'ask';
  turn?: string;
  /** The agent that asks or calls: what it began does not end with the turn. */
  agent?: { title?: string | undefined };
  tool: string;
  input: unknown;
  /** `cut`: its turn was ended in the middle of it; `gone`: nobody saw how it ended. */
  state: 'open' | 'done' | 'failed' | 'allowed' | 'denied' | 'cut' | 'gone';
  /** Length of the turn's answer when it happened, UTF-16 code units: what was written before stands before it. */
  offset: number;
  /** The message that was being written then: a tool call ends its message, so all of that stands before it, too. */
  message?: string;
  /** The tool call that a question is about. */
  about?: string;
  /** How far a lent tool is, or was when it was told last: foreign words. */
  progress?: string;
  /** Wall clock, epoch ms. */
  began: number;
  ended?: number;
}

/** Steps that are kept for reading back. */
const keptSteps = 400;

export function stepsOf(
  steps: readonly Step[],
  event: SessionEvent,
  session: Session,
  at: number,
): readonly Step[] {
  switch (event.type) {
    case 'answer.delta':
      return behind(steps, event, session);
    case 'activity':
      return activity(steps, event, session, at);
    case 'tool.called':
      return add(steps, {
        ...opened(event, session, at),
        id: event.call,
        kind: 'lent',
        input: event.args,
        ...(event.agent !== undefined && { agent: {} }),
      });
    case 'tool.progressed':
      return progressed(steps, event.call, event.text);
    case 'tool.answered':
      return end(steps, event.call, event.ok ? 'done' : 'failed', at);
    case 'tool.dropped':
      return end(steps, event.call, event.denied ? 'denied' : 'gone', at);
    case 'policy.ruled':
      return event.verdict === 'deny' ? ruledOut(steps, event, session, at) : steps;
    case 'permission.asked':
      return add(steps, {
        ...opened(event, session, at),
        id: event.code,
        kind: 'ask',
        input: event.input,
        ...(event.tool_use !== undefined && { about: event.tool_use }),
        ...(event.agent && { agent: event.agent }),
      });
    case 'permission.decided':
      return decided(steps, event, at);
    case 'permission.settled':
      return end(steps, event.code, 'gone', at);
    case 'turn.settled':
      return turnEnded(steps, event.turn, event.outcome, at);
    default:
      return steps;
  }
}

function opened(event: { turn?: string | undefined; tool: string }, session: Session, at: number) {
  const turn = session.turns.find(({ id }) => id === event.turn);
  const message = turn?.answer.messages.at(-1);
  return {
    tool: event.tool,
    state: 'open' as const,
    offset: turn?.answer.text.length ?? 0,
    began: at,
    ...(message && !message.done && { message: message.id }),
    ...(event.turn !== undefined && { turn: event.turn }),
  };
}

/**
 * A message ends with its tool calls, but its text may be told after them (23 ms measured on Claude Code 2.1.329). While
 * a call is open Claude writes nothing new: what comes then belongs before it, unless it is an agent's.
 */
function behind(
  steps: readonly Step[],
  event: Extract<SessionEvent, { type: 'answer.delta' }>,
  session: Session,
): readonly Step[] {
  const open = new Set(steps.filter(({ state }) => state === 'open').map(({ id }) => id));
  const moves = ({ turn, message, id, about = '', agent }: Step) =>
    turn === event.turn &&
    (message === event.message || (message === undefined && !agent && (open.has(id) || open.has(about))));
  if (!steps.some(moves)) return steps;
  const offset = session.turns.find(({ id }) => id === event.turn)?.answer.text.length ?? 0;
  return steps.map((step) => (moves(step) ? { ...step, offset, message: event.message } : step));
}

function activity(
  steps: readonly Step[],
  event: Extract<SessionEvent, { type: 'activity' }>,
  session: Session,
  at: number,
): readonly Step[] {
  if (event.phase !== 'started') {
    return proven(steps, event.tool_use, event.phase === 'succeeded' ? 'done' : 'failed', at);
  }
  // An agent's tools are part of no turn, and no transcript shows them.
  if (event.agent !== undefined) return steps;
  return add(steps, { ...opened(event, session, at), id: event.tool_use, kind: 'tool', input: event.input });
}

const add = (steps: readonly Step[], step: Step): readonly Step[] =>
  steps.some(({ id, kind }) => id === step.id && kind === step.kind)
    ? steps
    : [...steps, step].slice(-keptSteps);

const progressed = (steps: readonly Step[], call: string, progress: string): readonly Step[] =>
  steps.map((step) => (step.kind === 'lent' && step.id === call ? { ...step, progress } : step));

/** A rule said no: Claude Code tells of such a call before or after that. */
function ruledOut(
  steps: readonly Step[],
  event: Extract<SessionEvent, { type: 'policy.ruled' }>,
  session: Session,
  at: number,
): readonly Step[] {
  const { tool_use: id } = event;
  if (id === undefined) return steps;
  const known = add(steps, { ...opened(event, session, at), id, kind: 'tool', input: event.input });
  return end(known, id, 'denied', at);
}
