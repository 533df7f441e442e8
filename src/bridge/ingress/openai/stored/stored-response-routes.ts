// What a client may do with a response that it got: read it again, read what it sent, forget it, stop it.
import { findTurn, isSettled, type Session, type StoredResponse } from '../../../../domain/state/session.ts';
import type { Dispatcher } from '../../../app/dispatcher.ts';
import { type Answer, type Handler, ok, type Routes } from '../../../http/routes.ts';
import { invalidRequest, notCancellable, responseNotFound, tooBusy } from '../errors.ts';
import { deletedObject, inputItems, storedResponseObject } from './stored-response-object.ts';
import type { StoredResponses } from './stored-responses.ts';

interface StoredResponseOptions {
  dispatcher: Dispatcher;
  stored: StoredResponses;
  /** Lets in whoever shows the token. */
  admitted(handler: Handler): Handler;
}

type OfResponse = (
  session: Session,
  response: StoredResponse,
  query: URLSearchParams,
) => Answer | Promise<Answer>;

export function storedResponseRoutes(routes: Routes, options: StoredResponseOptions): void {
  const { dispatcher, stored, admitted } = options;
  const found = (answer: OfResponse): Handler =>
    admitted(({ params: { id = '' }, query }) => {
      const known = stored.find(id);
      return 'why' in known ? responseNotFound(id, known.why) : answer(known.session, known.response, query);
    });
  const whole = found((session, response) => ok(storedResponseObject(session, response)));
  routes.add('GET', '/v1/responses/:id', (exchange) =>
    exchange.query.get('stream') === 'true' ? admitted(notStreamed)(exchange) : whole(exchange),
  );
  routes.add(
    'GET',
    '/v1/responses/:id/input_items',
    found((_, response, query) => ok(inputItems(response, query.get('order') === 'asc' ? 'asc' : 'desc'))),
  );
  routes.add(
    'DELETE',
    '/v1/responses/:id',
    found(async ({ key }, response) => {
      if (!dispatcher.dispatch(key, { type: 'response.delete', response: response.id }).ok)
        return notWritten();
      await dispatcher.stored(key);
      return ok(deletedObject(response));
    }),
  );
  routes.add(
    'POST',
    '/v1/responses/:id/cancel',
    found(async (session, response) => {
      const turn = findTurn(session, response.turn);
      const isOver = response.said !== undefined || !turn || isSettled(turn);
      if (isOver && turn?.cancelledBy !== cancelledBy) return notCancellable(response.id);
      if (!isOver) dispatcher.dispatch(session.key, { type: 'turn.cancel', turn: turn.id, by: cancelledBy });
      await dispatcher.stored(session.key);
      return ok(storedResponseObject(dispatcher.session(session.key) ?? session, response));
    }),
  );
}

const notStreamed = (): Answer =>
  invalidRequest('stream: a stored response is not streamed again; read it whole.', 'stream');

/** Who cancelled a turn whose response was cancelled. */
const cancelledBy = 'the client cancelled the response';

const notWritten = () => tooBusy(30, 'The journal cannot be written: is the disk full?');
