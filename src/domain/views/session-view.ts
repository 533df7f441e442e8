// One session as its transcript needs it: the bridge's own fold, plus what the fold forgets and a reader wants to see.
import type { JournalRow, SessionEvent } from '../../protocol/events.ts';
import { evolve } from '../evolve.ts';
import { emptySession, isSettled, type Session, type Turn } from '../session.ts';

/** Something Claude did, or asked, in the middle of an answer. */
export interface Step {
  /** Claude's tool use id, the call id, or the code of the question. */
  id: string;
  kind: 'tool' | 'lent' | 'ask';
  turn?: string;
  tool: string;
  input: unknown;
  state: 'open' | 'done' | 'failed' | 'allowed' | 'denied' | 'gone';
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

export interface SessionView {
  session: Session;
  /** Settled turns that the session no longer remembers, in the order in which it forgot them. */
  past: readonly Turn[];
  steps: readonly Step[];
  /** When turns settled, epoch ms. */
  ended: ReadonlyMap<string, number>;
}

/** Turns and steps that are kept for reading back. */
const keptPast = 100;
const keptSteps = 400;

export const viewOf = (session: Session): SessionView => ({
  session,
  past: [],
  steps: [],
  ended: new Map(),
});

export const emptyView = (key: string): SessionView => viewOf(emptySession(key));

/** Every turn that can still be shown, oldest first. */
export const turnsOf = ({ past, session }: SessionView): readonly Turn[] =>
  // One that runs long is remembered when later ones are not any more.
  [...past, ...session.turns].sort((left, right) => left.acceptedAt - right.acceptedAt);

/** Folds one row of this session. */
export function viewRow(view: SessionView, { event, at }: JournalRow): SessionView {
  const session = evolve(view.session, event, at);
  // Another conversation: of the one that was removed nothing is shown.
  if (event.type === 'session.opened') return viewOf(session);
  const past = pastOf(view, session);
  const steps = stepsOf(view.steps, event, session, at);
  if (event.type !== 'turn.settled') return { session, past, steps, ended: view.ended };
  const known = new Set(turnsOf({ ...view, past, session }).map(({ id }) => id));
  const ended = new Map([...view.ended, [event.turn, at] as const].filter(([id]) => known.has(id)));
  return { session, past, steps, ended };
}

function pastOf({ past, session: before }: SessionView, session: Session): readonly Turn[] {
  if (before.turns === session.turns) return past;
  const kept = new Set(session.turns.map(({ id }) => id));
  const gone = before.turns.filter((turn) => isSettled(turn) && !kept.has(turn.id));
  return gone.length === 0 ? past : [...past, ...gone].slice(-keptPast);
}

function stepsOf(steps: readonly Step[], event: SessionEvent, session: Session, at: number): readonly Step[] {
  switch (event.type) {
    case 'answer.delta':
      return behind(steps, event, session);
    case 'activity':
      return activity(steps, event, session, at);
    case 'tool.called':
      return add(steps, { ...opened(event, session, at), id: event.call, kind: 'lent', input: event.args });
    case 'tool.progressed':
      return progressed(steps, event.call, event.text);
    case 'tool.answered':
      return end(steps, event.call, event.ok ? 'done' : 'failed', at);
    case 'tool.dropped':
      return end(steps, event.call, 'gone', at);
    case 'permission.asked':
      return add(steps, {
        ...opened(event, session, at),
        id: event.code,
        kind: 'ask',
        input: event.input,
        ...(event.tool_use !== undefined && { about: event.tool_use }),
      });
    case 'permission.decided':
      return end(steps, event.code, event.verdict === 'allow' ? 'allowed' : 'denied', at);
    case 'permission.settled':
      return end(steps, event.code, 'gone', at);
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
 * a call is open Claude writes nothing new: what comes then belongs before it.
 */
function behind(
  steps: readonly Step[],
  event: Extract<SessionEvent, { type: 'answer.delta' }>,
  session: Session,
): readonly Step[] {
  const open = new Set(steps.filter(({ state }) => state === 'open').map(({ id }) => id));
  const moves = ({ turn, message, id, about = '' }: Step) =>
    turn === event.turn &&
    (message === event.message || (message === undefined && (open.has(id) || open.has(about))));
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
    return end(steps, event.tool_use, event.phase === 'succeeded' ? 'done' : 'failed', at);
  }
  return add(steps, { ...opened(event, session, at), id: event.tool_use, kind: 'tool', input: event.input });
}

const add = (steps: readonly Step[], step: Step): readonly Step[] =>
  steps.some(({ id, kind }) => id === step.id && kind === step.kind)
    ? steps
    : [...steps, step].slice(-keptSteps);

const progressed = (steps: readonly Step[], call: string, progress: string): readonly Step[] =>
  steps.map((step) => (step.kind === 'lent' && step.id === call ? { ...step, progress } : step));

/** The first ending counts: a question that was decided stays decided when it is settled. */
const end = (steps: readonly Step[], id: string, state: Step['state'], at: number): readonly Step[] =>
  steps.some((step) => step.id === id && step.state === 'open')
    ? steps.map((step) => (step.id === id && step.state === 'open' ? { ...step, state, ended: at } : step))
    : steps;
