// Which turn a prompt of Claude Code's main thread is part of. All that is known of it is in the session: whoever hears
// Claude Code keeps nothing.
import { hashId } from '../../base/digest.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import { cancelled, type Ending, settle } from '../settle.ts';
import { queuedInClaude, runningTurn, type Session } from '../state/session.ts';
import type { RunningTurn, Turn } from '../state/turn.ts';
import { completed } from './completed.ts';

export type Whose =
  | { is: 'running'; turn: RunningTurn }
  /** It has ended: what comes is late, or Claude Code was sent on. */
  | { is: 'over'; turn: Turn; prompt: string }
  /** Nobody has told of it. */
  | { is: 'unknown' };

/** A turn whose prompt is not known yet may have any. */
export function whose(session: Session, prompt: string | undefined): Whose {
  const turn = runningTurn(session);
  if (turn && isPrompt(turn, prompt)) return { is: 'running', turn };
  if (prompt === undefined) return { is: 'unknown' };
  const over = session.turns.findLast((each) => hasHad(each, prompt));
  return over ? { is: 'over', turn: over, prompt } : { is: 'unknown' };
}

/** Asked for each text, so it makes no list. */
const isPrompt = ({ phase }: RunningTurn, prompt: string | undefined): boolean =>
  prompt === undefined ||
  phase.prompt === undefined ||
  phase.prompt === prompt ||
  phase.earlier?.includes(prompt) === true;

/** A turn with this prompt has ended. */
export const isOver = (session: Session, prompt: string): boolean =>
  session.turns.some((turn) => hasHad(turn, prompt));

const hasHad = ({ phase }: Turn, prompt: string): boolean =>
  phase.name === 'settled' && (phase.prompt === prompt || phase.earlier?.includes(prompt) === true);

/** Its prompt, if that was not known. */
export const learned = ({ id, phase }: RunningTurn, prompt: string | undefined): SessionEvent[] =>
  phase.prompt === undefined && prompt !== undefined ? [{ type: 'turn.running', turn: id, prompt }] : [];

/** A turn that begins, with what has to be so before. */
export interface Begun {
  turn: string;
  events: SessionEvent[];
}

/**
 * Claude Code runs a prompt that it did not tell of: what it had in its own queue. The turn before has ended without a
 * word, if it has not said so.
 */
export function unannounced(session: Session, prompt: string | undefined): Begun {
  const before = endsUntold(session);
  const message = queuedInClaude(session);
  const under = prompt === undefined ? {} : { prompt };
  if (message)
    return { turn: message.id, events: [...before, { type: 'turn.running', turn: message.id, ...under }] };
  const turn = derivedId(session, prompt ?? '');
  const text = session.held.join('\n');
  return { turn, events: [...before, { type: 'turn.adopted', turn, text, ...under }] };
}

/** A Stop hook of the user's sends Claude on when the turn is over: it goes on for the same people. */
export function continued(session: Session, over: Turn, prompt: string): Begun {
  const { ingress, sender, meta } = over;
  const origin = { by: 'continued' as const, ingress, meta, ...(sender && { sender }) };
  const turn = derivedId(session, prompt);
  return { turn, events: [{ type: 'turn.adopted', turn, text: '', prompt, origin }] };
}

/** Another prompt runs, so the turn that was known to run does not any more. */
export function endsUntold(session: Session): SessionEvent[] {
  const turn = runningTurn(session);
  // The next message is not handed over while Claude works on what it began by itself.
  return turn
    ? settle(session, turn, untoldEnd(session, turn)).filter(({ type }) => type !== 'turn.delivering')
    : [];
}

function untoldEnd(session: Session, turn: RunningTurn): Ending {
  const { rested } = turn.phase;
  if (rested) return completed(session, rested.last);
  if (turn.cancelledBy !== undefined) return cancelled(turn);
  return { outcome: 'cancelled', detail: inTerminal };
}

/** Esc there tells nobody. */
export const inTerminal = "in Claude's terminal";

/** Made of what is known, so that the core needs no chance. The same prompt may begin several turns, one after another. */
export function derivedId(session: Session, prompt: string): string {
  const ended = Math.max(0, ...session.turns.map((turn) => turn.ended ?? 0));
  return `t${hashId(`${session.key}\n${session.claude?.id}\n${prompt}\n${ended}`, 14)}`;
}
