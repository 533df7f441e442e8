// A stored response as it was given, or as far as it is known. Pure.
import { findTurn, type Session, type StoredResponse } from '../../../../domain/state/session.ts';
import { endingWords, paragraph } from '../../../../domain/words/turn-words.ts';
import type { ResponseHead } from '../answer/answer.ts';
import { answerObject } from '../answer/answer-object.ts';
import { messageItem, type ResponseStatus, responseObject } from '../answer/render-responses.ts';
import { wireResponseId } from './stored-responses.ts';

/** @param mask leaves secrets out */
export function storedResponseObject(
  session: Session,
  response: StoredResponse,
  mask: (text: string) => string,
) {
  const head: ResponseHead = {
    id: response.id,
    created: Math.floor(response.openedAt / 1000),
    model: response.model,
    stored: true,
    ...(response.previous !== undefined && { previous: response.previous }),
  };
  const inputCharacters = response.input.reduce(
    (sum, item) => sum + ('text' in item ? item.text.length : 0),
    0,
  );
  const { said } = response;
  if (said)
    return answerObject({ api: 'responses', head, inputCharacters, ...said, text: mask(String(said.text)) });
  const { status, text, error } = unread(session, response);
  const output = text === '' ? [] : [messageItem(head, 0, 'completed', mask(text))];
  return responseObject(head, output, undefined, status, error);
}

/** Nobody has read it to its end: its client hung up, or the bridge ended. */
function unread(
  session: Session,
  response: StoredResponse,
): { status: ResponseStatus; text: string; error?: string } {
  const turn = findTurn(session, response.turn);
  if (!turn)
    return {
      status: 'failed',
      text: '',
      error: 'Nobody read it to its end, and its text is not kept any more.',
    };
  const text = turn.answer.text.slice(response.start);
  const { phase } = turn;
  if (phase.name !== 'settled')
    return turn.cancelledBy === undefined
      ? { status: 'in_progress', text: '' }
      : { status: 'cancelled', text };
  const words = endingWords(turn, session.key, session.claude);
  const whole = text + paragraph(text, words);
  switch (phase.outcome) {
    case 'completed':
      return { status: 'completed', text: whole };
    case 'cancelled':
      return { status: 'cancelled', text: whole };
    case 'failed':
    case 'expired':
      return { status: 'failed', text: whole, error: words };
  }
}

/** What the request brought that was new. @param order by which OpenAI lists them: the last one first */
export function inputItems({ id, input }: StoredResponse, order: 'asc' | 'desc') {
  const items = input.map((item, index) => {
    const name = `${id}i${index}`;
    return 'text' in item
      ? {
          id: `msg_${name}`,
          type: 'message' as const,
          role: 'user' as const,
          status: 'completed' as const,
          content: [{ type: 'input_text' as const, text: item.text }],
        }
      : {
          id: `fco_${name}`,
          type: 'function_call_output' as const,
          status: 'completed' as const,
          call_id: item.call,
          output: item.output,
        };
  });
  const data = order === 'asc' ? items : items.toReversed();
  return {
    object: 'list' as const,
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: false,
  };
}

/** What a client gets for a response that it had deleted. */
export const deletedObject = ({ id }: StoredResponse) => ({
  id: wireResponseId(id),
  object: 'response' as const,
  deleted: true,
});
