// The /v1 door: authentication, parsing, refusals. What a request means is decided in intake.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { newId, sameSecret } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import {
  answerRoad,
  type ChatPlace,
  dialectOf,
  questionText,
} from '../../../domain/question/question-text.ts';
import type { Ask } from '../../../domain/session.ts';
import { endingWords } from '../../../domain/turn-words.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Hangups } from '../../app/hangups.ts';
import type { Readers } from '../../app/reader.ts';
import type { ResponseHead } from './answer.ts';
import { answerObject, modelList } from './answer-object.ts';
import { answerStream } from './answer-stream.ts';
import {
  bodyTooLarge,
  type HttpFault,
  invalidJson,
  invalidRequest,
  methodNotAllowed,
  modelNotFound,
  notFound,
  type Read,
  tooBusy,
  unauthorized,
  wrongContentType,
} from './errors.ts';
import type { Intake } from './intake.ts';
import type { ProviderRequest } from './provider-request.ts';
import { readChatRequest, readResponsesRequest } from './read-request.ts';
import type { Reading } from './reply.ts';
import { answerWhole, type ResponseOptions, streamAnswer } from './respond.ts';

export interface OpenAiOptions {
  clock: Clock;
  log: Log;
  dispatcher: Dispatcher;
  readers: Readers;
  intake: Intake;
  hangups: Hangups;
  /** The bearer token of `/v1`. */
  token: string;
  keepAliveMs: number;
  /** Largest body, bytes. */
  bodyBytes: number;
  /** Sender ids that may answer permission questions in this session. */
  approversFor(key: string): readonly string[];
  /** Whether a card of the hub asks this permission question, so that no text has to. */
  isAskedElsewhere(code: string): Promise<boolean>;
  /** True while the bridge drains: nothing new is accepted. */
  draining(): boolean;
}

/** The model this provider has. `claude-<name>` is the same, so that a hub can give each of its agents one. */
const models = ['claude'];
const isOurs = (model: string) => /^(?:synthesis\/)?claude(?:-[\w.-]{1,100})?$/.test(model);

/** Parallel calls of one message arrive within a few milliseconds of each other (measured on Claude Code 2.1.329). */
const quietMs = 40;

export function openAiRoutes(app: FastifyInstance, options: OpenAiOptions): void {
  const door = new Door(options);
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, request, reply) => sendFault(reply, door.faultOf(error, request)));
  app.setNotFoundHandler((request, reply) => sendFault(reply, unknownRoute(request)));
  app.get('/models', () => modelList(models, startedAt));
  app.post('/chat/completions', (request, reply) => door.answer(request, reply, readChatRequest));
  app.post('/responses', (request, reply) => door.answer(request, reply, readResponsesRequest));
}

/** What is served here, by path: for an answer that says more than "not found". */
const served: Record<string, string> = {
  '/v1/models': 'GET',
  '/v1/chat/completions': 'POST',
  '/v1/responses': 'POST',
};

function unknownRoute({ method, url }: FastifyRequest): HttpFault {
  const path = url.split('?', 1)[0] ?? '';
  const allowed = Object.hasOwn(served, path) ? served[path] : undefined;
  return allowed ? methodNotAllowed(allowed) : notFound(method, path);
}

const startedAt = Math.floor(Date.now() / 1000);

type Reader = (body: unknown, fields: FastifyRequest['headers']) => Read<ProviderRequest>;

class Door {
  readonly #options: OpenAiOptions;

  constructor(options: OpenAiOptions) {
    this.#options = options;
  }

  async answer(request: FastifyRequest, reply: FastifyReply, readBody: Reader): Promise<FastifyReply> {
    const body = this.#admit(request, readBody);
    if (!body.ok) return sendFault(reply, body.fault);
    const taken = this.#options.intake.take(body.value);
    switch (taken.kind) {
      case 'nothing_new':
        return sendFault(reply, invalidRequest('messages: there is no new message to answer.', 'messages'));
      case 'not_stored':
        return sendFault(reply, tooBusy(30, 'The journal cannot be written: is the disk full?'));
      case 'words':
        return this.#sendWords(reply, body.value, taken.text);
      case 'read':
        return this.#sendTurns(reply, body.value, taken);
    }
  }

  faultOf(error: unknown, request: FastifyRequest): HttpFault {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    switch (code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return bodyTooLarge(this.#options.bodyBytes);
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return wrongContentType(request.headers['content-type']);
      case 'FST_ERR_CTP_EMPTY_JSON_BODY':
        return invalidJson('The body is empty.');
      case 'FST_ERR_CTP_INVALID_JSON_BODY':
        return invalidJson();
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return invalidRequest('The content length does not fit the body.');
    }
    if (error instanceof SyntaxError) return invalidJson();
    this.#options.log.error('request failed', { error, path: request.url });
    return tooBusy(5, 'The bridge could not take this request.');
  }

  #admit(request: FastifyRequest, readBody: Reader): Read<ProviderRequest> {
    const { authorization } = request.headers;
    const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (!sameSecret(this.#options.token, given))
      return { ok: false, fault: unauthorized(given !== undefined) };
    if (this.#options.draining()) return { ok: false, fault: tooBusy(5, 'The bridge is stopping.') };
    const body = readBody(request.body, request.headers);
    if (body.ok && !isOurs(body.value.model))
      return { ok: false, fault: modelNotFound(body.value.model, models) };
    return body;
  }

  #placeOf(key: string, ask: Ask): Pick<ChatPlace, 'road' | 'dialect'> {
    const turn = this.#options.dispatcher.session(key)?.turns.find((each) => each.id === ask.turn);
    return { road: answerRoad(turn, this.#options.approversFor(key)), dialect: dialectOf(turn) };
  }

  #head(request: ProviderRequest): ResponseHead {
    return { id: newId('r'), created: Math.floor(this.#options.clock.wall() / 1000), model: request.model };
  }

  #sendWords(reply: FastifyReply, request: ProviderRequest, text: string): FastifyReply {
    const { api, includeUsage } = request;
    const head = this.#head(request);
    if (!request.stream) return reply.send(answerObject({ api, head, text, inputCharacters: 0 }));
    const stream = answerStream({ api, head, includeUsage });
    return reply
      .type('text/event-stream; charset=utf-8')
      .send(`${stream.open()}${stream.text(text)}${stream.finish(0)}`);
  }

  async #sendTurns(reply: FastifyReply, request: ProviderRequest, taken: Reading): Promise<FastifyReply> {
    const { dispatcher, readers, clock, keepAliveMs } = this.#options;
    await dispatcher.durable(taken.seq);
    const gone = new AbortController();
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const { key, target } = taken;
    const items = readers.read({
      key,
      target,
      request: taken.request,
      lost: taken.lost,
      alone: taken.alone,
      signal: gone.signal,
      quietMs,
      interactive: true,
      isAskedElsewhere: this.#options.isAskedElsewhere,
    });
    const response: ResponseOptions = {
      api: request.api,
      head: this.#head(request),
      includeUsage: request.includeUsage,
      inputCharacters: taken.inputCharacters,
      target,
      lost: taken.lost,
      ...(taken.note !== undefined && { note: taken.note }),
      question: (ask, before) => questionText(ask, { ...this.#placeOf(key, ask), before }),
      endingWords: (turn) => endingWords(turn, key, dispatcher.session(key)?.claude?.launch.cwd),
    };
    reply.hijack();
    const { hangups } = this.#options;
    hangups.attached(key, target, taken.repeats);
    try {
      if (request.stream) await streamAnswer(items, reply.raw, { ...response, clock, keepAliveMs });
      else await answerWhole(items, reply.raw, response);
    } finally {
      if (gone.signal.aborted && taken.stops) hangups.left(key, target);
      else hangups.done(target);
    }
    return reply;
  }
}

const sendFault = (reply: FastifyReply, fault: HttpFault): FastifyReply =>
  reply.code(fault.status).headers(fault.headers).send(fault.body);
