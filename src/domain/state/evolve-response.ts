import type { SessionEvent } from '../../protocol/events/events.ts';
import { findTurn, keptResponses, type Session, type StoredResponse } from './session.ts';
import { Text } from './text.ts';
import type { Turn } from './turn.ts';

/** What a client may come back to. */
export function evolveResponse(session: Session, event: SessionEvent, at: number): Session {
  switch (event.type) {
    case 'response.opened': {
      const { response: id, turn, model, input, previous, aside } = event;
      const opened: StoredResponse = {
        id,
        turn,
        model,
        openedAt: at,
        input,
        start: findTurn(session, turn)?.handed ?? 0,
        ...(previous !== undefined && { previous }),
        ...(aside && { aside }),
      };
      const responses = [...session.responses, opened].slice(-keptResponses);
      return { ...session, responses, newest: id };
    }
    case 'response.closed': {
      const { text, calls } = event;
      return mapResponse(session, event.response, (response) => ({
        ...response,
        said: { text: kept(text, findTurn(session, response.turn)), calls },
      }));
    }
    case 'response.deleted':
      // The id stays known, so that whoever comes with it hears why; what was said does not.
      return mapResponse(session, event.response, ({ said: _, ...response }) => ({
        ...response,
        input: [],
        deleted: true,
      }));
    default:
      return session;
  }
}

/** What a response said is the answer itself, as a rule: the same text is there once. */
export function kept(said: string, turn: Turn | undefined): Text {
  const answer = turn?.answer.text;
  return answer?.length === said.length && answer.begins(said, 0) ? answer : Text.of(said);
}

const mapResponse = (
  session: Session,
  id: string,
  change: (response: StoredResponse) => StoredResponse,
): Session => ({
  ...session,
  responses: session.responses.map((each) => (each.id === id ? change(each) : each)),
});

/** The conversation went on, or began anew: Claude is no longer where that response ended. */
export function withoutNewest({ newest: _, ...session }: Session): Session {
  return session;
}

export const withoutResponses = (session: Session): Session => ({ ...withoutNewest(session), responses: [] });
