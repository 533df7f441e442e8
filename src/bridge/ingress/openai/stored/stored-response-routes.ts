// What a client may do with a response that it got: read it again, read what it sent, forget it, stop it.
import type { Socket } from 'node:net';
import { findTurn, type Session, type StoredResponse } from '../../../../domain/state/session.ts';
import { isSettled } from '../../../../domain/state/turn.ts';
import { fitsSession } from '../../../../protocol/tokens.ts';
import type { Dispatcher } from '../../../app/dispatcher.ts';
import type { Masks } from '../../../app/masking.ts';
import { type Answer, type Handler, ok, type Routes } from '../../../http/routes.ts';
import type { Admitted } from '../admission.ts';
import { type Elsewhere, notHere } from '../elsewhere.ts';
import { invalidRequest, notCancellable, responseNotFound, tooBusy } from '../errors.ts';
import { limitWords } from '../limit-words.ts';
import { deletedObject, inputItems, storedResponseObject } from './stored-response-object.ts';
import type { StoredResponses } from './stored-responses.ts';

interface StoredResponseOptions {
  dispatcher: Dispatcher;
  stored: StoredResponses;
  masks: Masks;
  /** Where there are other machines. */
  elsewhere?: Elsewhere | undefined;
  /** Another node of the cluster is on this connection. */
  isAdopted(socket: Socket): boolean;
  admitted: Admitted;
}

type OfResponse = (
  session: Session,
  response: StoredResponse,
  query: URLSearchParams,
) => Answer | Promise<Answer>;

export function storedResponseRoutes(routes: Routes, options: StoredResponseOptions): void {
  const { dispatcher, stored, masks, elsewhere, isAdopted, admitted } = options;
  const found = (answer: OfResponse): Handler =>
    admitted(async (exchange, limit) => {
      const { id = '' } = exchange.params;
      const key = stored.keyOf(id);
      const outside = limit === undefined ? undefined : outsideOf(id, limit);
      if (outside && key !== undefined && !fitsSession(limit, key)) return outside;
      const known = stored.find(id);
      if (!('why' in known)) return answer(known.session, known.response, exchange.query);
      const place = elsewhere && stored.placeOf(id);
      const relayed = isAdopted(exchange.request.socket);
      const sent = place && (await elsewhere.send(exchange, { ...place, body: '', relayed, limit }));
      if (sent?.kind === 'answered') return undefined;
      if (sent?.kind === 'not_here') return notHere;
      if (sent?.kind === 'words') return tooBusy(30, unreached);
      // Of its own conversations a token may know why.
      return outside && (sent?.kind === 'outside' || key === undefined)
        ? outside
        : responseNotFound(id, known.why);
    });
  const objectOf = async (session: Session, response: StoredResponse): Promise<Answer> => {
    const mask = await masks.of(session.key);
    return ok(storedResponseObject(session, response, (text) => mask.whole(text).text));
  };
  const whole = found(objectOf);
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
      return objectOf(dispatcher.session(session.key) ?? session, response);
    }),
  );
}

/** The same for a response of another conversation and for an id that nobody gave. */
const outsideOf = (id: string, limit: string): Answer =>
  responseNotFound(id, `${limitWords(limit)} No response of it has this id.`);

const notStreamed = (): Answer =>
  invalidRequest('stream: a stored response is not streamed again; read it whole.', 'stream');

/** Who cancelled a turn whose response was cancelled. */
const cancelledBy = 'the client cancelled the response';

/** Of whoever asks for a response; no message is concerned. */
const unreached = 'The machine that may have this response cannot be reached.';

const notWritten = () => tooBusy(30, 'The journal cannot be written: is the disk full?');
