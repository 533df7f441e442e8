// What a client may do with a response that it got: read it again, read what it sent, forget it, stop it.
import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import { findTurn, isSettled, type Session, type StoredResponse } from '../../../domain/session.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import { invalidRequest, notCancellable, responseNotFound, tooBusy } from './errors.ts';
import { deletedObject, inputItems, storedResponseObject } from './stored-response-object.ts';
import type { StoredResponses } from './stored-responses.ts';

interface StoredResponseOptions {
  dispatcher: Dispatcher;
  stored: StoredResponses;
  /** Lets in whoever shows the token. */
  onRequest: onRequestAsyncHookHandler;
}

interface Asked {
  Params: { id: string };
  Querystring: { order?: string; stream?: string };
}

export function storedResponseRoutes(app: FastifyInstance, options: StoredResponseOptions): void {
  const { dispatcher, stored, onRequest } = options;
  const found =
    (answer: (session: Session, response: StoredResponse, query: Asked['Querystring']) => unknown) =>
    (
      { params: { id }, query }: { params: Asked['Params']; query: Asked['Querystring'] },
      reply: FastifyReply,
    ) => {
      const known = stored.find(id);
      return 'why' in known
        ? send(reply, responseNotFound(id, known.why))
        : answer(known.session, known.response, query);
    };
  app.get<Asked>('/responses/:id', { onRequest }, (request, reply) =>
    request.query.stream === 'true'
      ? send(
          reply,
          invalidRequest('stream: a stored response is not streamed again; read it whole.', 'stream'),
        )
      : found(storedResponseObject)(request, reply),
  );
  app.get<Asked>(
    '/responses/:id/input_items',
    { onRequest },
    found((_, response, { order }) => inputItems(response, order === 'asc' ? 'asc' : 'desc')),
  );
  app.delete<Asked>('/responses/:id', { onRequest }, (request, reply) =>
    found(async ({ key }, response) => {
      if (!dispatcher.dispatch(key, { type: 'response.delete', response: response.id }).ok)
        return send(reply, notWritten());
      await dispatcher.stored();
      return deletedObject(response);
    })(request, reply),
  );
  app.post<Asked>('/responses/:id/cancel', { onRequest }, (request, reply) =>
    found(async (session, response) => {
      const turn = findTurn(session, response.turn);
      const isOver = response.said !== undefined || !turn || isSettled(turn);
      if (isOver && turn?.cancelledBy !== cancelledBy) return send(reply, notCancellable(request.params.id));
      if (!isOver) dispatcher.dispatch(session.key, { type: 'turn.cancel', turn: turn.id, by: cancelledBy });
      await dispatcher.stored();
      return storedResponseObject(dispatcher.session(session.key) ?? session, response);
    })(request, reply),
  );
}

/** Who cancelled a turn whose response was cancelled. */
const cancelledBy = 'the client cancelled the response';

const notWritten = () => tooBusy(30, 'The journal cannot be written: is the disk full?');

const send = (reply: FastifyReply, { status, headers, body }: ReturnType<typeof responseNotFound>) =>
  reply.code(status).headers(headers).send(body);
