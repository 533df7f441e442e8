// Which answers a client has although no reader of them was stored. Pure.
//
// A client has the end of a response a moment before the journal has that it was read, and the bridge may be killed in
// between. What the client brings as history tells; where it does not, the answer is read again rather than lost.
import type { CallerCommand } from '../../../../domain/commands.ts';
import { isForChat } from '../../../../domain/state/errands.ts';
import type { Session } from '../../../../domain/state/session.ts';
import { isSettled, type Turn } from '../../../../domain/state/turn.ts';
import { endsLike, withoutMaskedWords } from '../../../../domain/words/masked-words.ts';
import { endingWords, lateAnswerHead } from '../../../../domain/words/turn-words.ts';
import { type ProviderRequest, textsOf } from '../request/provider-request.ts';

/** Characters of an answer that are compared: lines about tools may stand between what goes before. */
const compared = 200;

/** Closes the settled turns that count as unread, and that the newest message of the assistant in the request answers. */
export function closeHeld(session: Session, { messages }: ProviderRequest): CloseReader[] {
  const unread = session.turns.filter(
    (turn) => turn.ingress === 'openai' && !turn.answered && isSettled(turn) && isForChat(turn),
  );
  const newest = unread.at(-1);
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const message = messages[at];
  if (!newest || message?.role !== 'assistant' || message.calls.length > 0) return [];
  const said = withoutMaskedWords(message.text).trimEnd();
  const end = endOf(session, newest);
  const isAbout = (text: string) => newest.text !== '' && text.includes(newest.text);
  // Words about a failure are the same for every turn, so the message itself has to stand before them. Where it stands
  // behind them, too, it is sent again, and what is before may be the answer to equal words.
  const isAsked = askedBefore(messages.slice(0, at)).some(isAbout);
  const isRepeated = textsIn(messages.slice(at)).some(isAbout);
  if (!isAsked || isRepeated || end === '' || !endsLike(said, end)) return [];
  // One response hands out all that is unread.
  return unread.filter((turn) => turn === newest || isIn(said, turn, endOf(session, turn))).map(closeOf);
}

/** Whether a response for another turn handed out this one, too. */
const isIn = (said: string, turn: Turn, end: string): boolean =>
  said.includes(end) && (turn.handed > 0 || said.includes(lateAnswerHead(turn).trim()));

type CloseReader = Extract<CallerCommand, { type: 'reader.close' }>;

/** No request has this name, so no repeat of one reads the answer again. */
const closeOf = ({ id: turn, handed: start, answer }: Turn): CloseReader => ({
  type: 'reader.close',
  turn,
  request: `held.${turn}`,
  start,
  offset: answer.text.length,
  why: 'finished',
});

/** Of the newest messages of people, which stand in a row. */
function askedBefore(messages: ProviderRequest['messages']): string[] {
  const to = messages.findLastIndex(({ role }) => role === 'user');
  const from = messages.slice(0, to + 1).findLastIndex(({ role }) => role !== 'user');
  return textsIn(messages.slice(from + 1, to + 1));
}

/** Of people. */
const textsIn = (messages: ProviderRequest['messages']): string[] =>
  messages.flatMap((each) => (each.role === 'user' ? textsOf(each) : []));

/** What a response ends with that hands out this turn. */
function endOf(session: Session, turn: Turn): string {
  const words = endingWords(turn, session.key, session.claude).trimEnd();
  const { text } = turn.answer;
  return words === '' ? text.slice(Math.max(turn.handed, text.length - compared)).trim() : words;
}
