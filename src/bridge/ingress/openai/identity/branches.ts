// Conversations that nobody names and that begin with the same words: which of them a request goes on with. Pure.
import type { Session } from '../../../../domain/state/session.ts';
import type { Text } from '../../../../domain/state/text.ts';
import { endsLike, withoutMaskedWords } from '../../../../domain/words/masked-words.ts';
import { matchCallId } from '../request/call-id.ts';
import { type Message, type ProviderRequest, textsOf } from '../request/provider-request.ts';
import { opensConversation } from './identity.ts';
import { holds } from './repeats.ts';

/**
 * A request without history begins another one as soon as somebody has read an answer of the latest; one with a history
 * goes on where that history fits best, in doubt with the latest.
 *
 * @param guess the key that the first words give
 * @param sessionOf looks up a conversation
 * @returns `guess`, or `guess.2` and so on
 */
export function branchOf(
  request: ProviderRequest,
  guess: string,
  sessionOf: (key: string) => Session | undefined,
): string {
  const known: Session[] = [];
  const keyOf = (count: number) => (count === 1 ? guess : `${guess}.${count}`);
  for (let session = sessionOf(guess); session; session = sessionOf(keyOf(known.length + 1)))
    known.push(session);
  const latest = known.at(-1);
  if (!latest) return guess;
  if (opensConversation(request)) {
    const isOver = !latest.removed && latest.turns.some(({ answered }) => answered);
    return isOver ? keyOf(known.length + 1) : latest.key;
  }
  const like = known.map((session) => likeness(request.messages, session));
  return known[like.lastIndexOf(Math.max(...like))]?.key ?? guess;
}

/** How well a history tells the conversation: what was said to it, and what it last said. */
function likeness(messages: readonly Message[], session: Session): number {
  const turns = session.turns.filter(({ adopted }) => !adopted);
  const end = messages.findLastIndex(({ role }) => role === 'assistant');
  const said = messages
    .slice(0, end)
    .flatMap((each) => (each.role === 'user' ? textsOf(each).join('\n') : []));
  const shared = said.slice(-compared).filter((text) => turns.some((turn) => holds(turn, text))).length;
  return 3 * shared - turns.length + (isOf(messages[end], session) ? 1 : 0);
}

function isOf(last: Message | undefined, { calls, turns }: Session): boolean {
  if (last?.role !== 'assistant') return false;
  const open = calls.map(({ call }) => call);
  return (
    last.calls.some(({ id }) => matchCallId(id, open) !== undefined) ||
    turns.some(({ answer }) => isTold(answer.text, withoutMaskedWords(last.text).trim()))
  );
}

/** Messages of a history that are looked at, from its end. */
const compared = 50;
/** Characters by which an answer is known again: a response may hold more, or less, than one of them. */
const enough = 200;

function isTold(answer: Text, told: string): boolean {
  const [head, end] = [answer.slice(0, 5 * enough).trim(), answer.slice(-5 * enough).trim()];
  return (
    (head !== '' && told.startsWith(head.slice(0, enough))) ||
    (end !== '' && endsLike(told, end.slice(-enough)))
  );
}
