// What OpenClaw still shows as unanswered although its answer was sent: the connection broke behind the last byte that
// could be seen from here, and OpenClaw gave up on that turn. Pure.
import { hashId } from '../../../base/ids.ts';
import type { Session, Turn } from '../../../domain/session.ts';
import { matchCallId } from './call-id.ts';
import type { NewestInput } from './newest-input.ts';

/** Stands for a message in `Turn.parts`. */
export const partOf = (text: string): string => hashId(text, 16);

/** Whether the turn was started by this message, alone or with others. */
export const holds = (turn: Turn, text: string): boolean =>
  turn.text === text || (turn.parts?.includes(partOf(text)) ?? false);

/**
 * @param session as it was before the request's tool results were taken
 * @returns ids of turns whose last response has to be read again, before the turn of the newest message
 */
export function lostTurns(session: Session, input: NewestInput): string[] {
  const newest = input.texts.at(-1);
  if (!newest) return [];
  const turns = session.turns.filter((turn) => turn.ingress === 'openai' && !turn.adopted);
  const older = input.texts.slice(0, -1).map(({ text }) => turns.findLast((turn) => holds(turn, text)));
  const owner = isRepeated(session, input) && turns.findLast((turn) => !holds(turn, newest.text));
  const lost = [...older, owner || undefined].filter((turn) => turn !== undefined);
  return [...new Set(lost.map((turn) => turn.id))];
}

/** Results that were taken before: what Claude made of them never arrived. */
function isRepeated(session: Session, { toolResults }: NewestInput): boolean {
  const open = session.calls.map(({ call }) => call);
  return toolResults.some(
    ({ callId, outcome }) => outcome === 'done' && matchCallId(callId, open) === undefined,
  );
}
