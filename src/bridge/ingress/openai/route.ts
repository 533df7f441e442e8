// The /v1 door: parsing, refusals, answers. Who may come in is decided in admission.ts, what a
// request means in intake.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import { refusedText } from '../../../domain/panic.ts';
import {
  answerRoad,
  type ChatPlace,
  dialectOf,
  questionText,
} from '../../../domain/question/question-text.ts';
import type { Ask } from '../../../domain/session.ts';
import { endingWords } from '../../../domain/turn-words.ts';
import type { ProgressMode } from '../../../protocol/config.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Hangups } from '../../app/hangups.ts';
import type { OneShotPort } from '../../app/ports.ts';
import type { Readers } from '../../app/reader.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import type { ResponseHead } from './answer.ts';
import { answerObject, modelList, modelObject } from './answer-object.ts';
import { answerStream } from './answer-stream.ts';
import {
  bodyTooLarge,
  diskFailed,
  diskFull,
  type HttpFault,
  invalidJson,
  invalidRequest,
  modelNotFound,
  type Read,
  tooBusy,
  unanswered,
  wrongContentType,
} from './errors.ts';
import type { Intake } from './intake.ts';
import { PreviewRace } from './preview-race.ts';
import { progressOf } from './progress.ts';
import type { ProviderRequest } from './provider-request.ts';
import { readChatRequest, readResponsesRequest } from './read-request.ts';
import type { Reading } from './reply.ts';
import { answerWhole, type ResponseOptions, streamAnswer } from './respond.ts';
import { storedResponseRoutes } from './stored-response-routes.ts';
import type { StoredResponses } from './stored-responses.ts';
import { oneShotPrompt } from './utility-call.ts';

export interface OpenAiOptions extends AdmissionOptions {
  clock: Clock;
  log: Log;
  dispatcher: Dispatcher;
  readers: Readers;
  intake: Intake;
  hangups: Hangups;
  stored: StoredResponses;
  keepAliveMs: number;
  /** Largest body, bytes. */
  bodyBytes: number;
  /** What the answers of this session say of Claude's tools. */
  progressFor(key: string): ProgressMode;
  /** Sender ids that may answer permission questions in this session. */
  approversFor(key: string): readonly string[];
  /** What answers utility calls of a hub. */
  oneShots(): OneShotPort | undefined;
  utilityCalls: 'answer' | 'refuse';
  /** Whether a card of the hub asks this permission question, so that no text has to. */
  isAskedElsewhere(code: string): Promise<boolean>;
}

/** The model this provider has. `claude-<name>` is the same, so that a hub can give each of its agents one. */
const models = ['claude'];
const isOurs = (model: string) => /^(?:synthesis\/)?claude(?:-[\w.-]{1,100})?$/.test(model);

/** Parallel calls of one message arrive within a few milliseconds of each other (measured on Claude Code 2.1.329). */
const quietMs = 40;

export function openAiRoutes(app: FastifyInstance, options: OpenAiOptions): void {
  const door = new Door(options);
  const admission = new Admission(options);
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, request, reply) => sendFault(reply, door.faultOf(error, request)));
  app.get('/models', () => modelList(models, startedAt));
  app.get<{ Params: { '*': string } }>('/models/*', ({ params: { '*': id } }, reply) =>
    isOurs(id) ? modelObject(id, startedAt) : sendFault(reply, modelNotFound(id, models)),
  );
  // Judged by its head alone: a body costs nothing until somebody with the token sends it.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const fault = admission.admit(request, reply);
    return fault && sendFault(reply, fault);
  };
  const post = (path: string, reader: Reader) =>
    app.post(path, { onRequest }, (request, reply) => door.answer(request, reply, reader));
  post('/chat/completions', readChatRequest);
  post('/responses', readResponsesRequest);
  storedResponseRoutes(app, { ...options, onRequest });
}

const startedAt = Math.floor(Date.now() / 1000);

type Reader = (body: unknown, fields: FastifyRequest['headers']) => Read<ProviderRequest>;

class Door {
  readonly #options: OpenAiOptions;
  readonly #race: PreviewRace;

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.#race = new PreviewRace(options.clock);
  }

  async answer(request: FastifyRequest, reply: FastifyReply, readBody: Reader): Promise<FastifyReply> {
    const body = readBody(request.body, request.headers);
    if (!body.ok) return sendFault(reply, body.fault);
    if (!isOurs(body.value.model)) return sendFault(reply, modelNotFound(body.value.model, models));
    const taken = this.#options.intake.take(body.value);
    switch (taken.kind) {
      case 'nothing_new':
        return sendFault(reply, invalidRequest('messages: there is no new message to answer.', 'messages'));
      case 'not_stored':
        return sendFault(reply, diskFull());
      case 'one_shot':
        return this.#askOnce(reply, body.value);
      case 'refused':
        return sendFault(reply, taken.fault);
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
      case 'journal_write':
        return diskFailed();
    }
    if (error instanceof SyntaxError) return invalidJson();
    this.#options.log.error('request failed', { error, path: request.url });
    return tooBusy(5, 'The bridge could not take this request.');
  }

  #placeOf(key: string, ask: Ask): Pick<ChatPlace, 'road' | 'dialect'> {
    const turn = this.#options.dispatcher.session(key)?.turns.find((each) => each.id === ask.turn);
    return { road: answerRoad(turn, this.#options.approversFor(key)), dialect: dialectOf(turn) };
  }

  /** @param at of which conversation it is a part; absent if of none. */
  #head(request: ProviderRequest, at?: { key: string; turn: string; name?: string }): ResponseHead {
    const named = (at && this.#options.stored.open({ request, ...at })) ?? { id: newId('r') };
    const { model, previous } = request;
    const created = Math.floor(this.#options.clock.wall() / 1000);
    return { created, model, ...named, ...(previous !== undefined && { previous }) };
  }

  /** Words that answer a response's continuation can be continued in their turn. */
  async #sendWords(reply: FastifyReply, request: ProviderRequest, text: string): Promise<FastifyReply> {
    const { api, includeUsage, previous } = request;
    const { stored, dispatcher } = this.#options;
    const found = previous === undefined ? undefined : stored.find(previous);
    const place =
      found && 'session' in found ? { key: found.session.key, turn: found.response.turn } : undefined;
    const head = this.#head(request, place);
    if (place && head.stored) stored.close(place.key, head.id, text, []);
    await dispatcher.stored();
    if (!request.stream) return reply.send(answerObject({ api, head, text, inputCharacters: 0 }));
    const stream = answerStream({ api, head, includeUsage });
    return reply
      .type('text/event-stream; charset=utf-8')
      .send(
        [stream.open(), stream.text(text), ...stream.finish({ said: text, inputCharacters: 0 })].join(''),
      );
  }

  /** What a reader reads may wait for room on the disk; a message that does was not taken. */
  async #isTaken({ key, target, submitted }: Reading, seq: number): Promise<boolean> {
    const { dispatcher } = this.#options;
    if (submitted) return dispatcher.took(key, target, seq);
    await dispatcher.durable(seq);
    return true;
  }

  async #askOnce(reply: FastifyReply, request: ProviderRequest): Promise<FastifyReply> {
    const { dispatcher, oneShots, utilityCalls } = this.#options;
    if (utilityCalls === 'refuse') return sendFault(reply, unanswered(refusedByConfig));
    if (dispatcher.panic) return sendFault(reply, unanswered(refusedText(dispatcher.panic.since)));
    const claude = oneShots();
    if (!claude) return sendFault(reply, tooBusy(1, 'The bridge is starting.'));
    const prompt = oneShotPrompt(request);
    if (!prompt.ok) return sendFault(reply, prompt.fault);
    const answer = await claude.ask(prompt.value, goneSignal(reply));
    if (answer.ok) return this.#sendWords(reply, request, answer.text);
    return sendFault(reply, answer.busy ? tooBusy(10, answer.detail) : unanswered(answer.detail));
  }

  async #sendTurns(reply: FastifyReply, request: ProviderRequest, taken: Reading): Promise<FastifyReply> {
    const { dispatcher, readers, clock, keepAliveMs, stored } = this.#options;
    const { key, target } = taken;
    const head = this.#head(request, { key, turn: target, name: taken.request });
    if (!(await this.#isTaken(taken, head.stored ? dispatcher.seq : taken.seq)))
      return sendFault(reply, diskFull());
    const gone = goneSignal(reply);
    const items = readers.read({
      key,
      target,
      request: taken.request,
      lost: taken.lost,
      alone: taken.alone,
      signal: gone,
      quietMs,
      interactive: true,
      leaves: true,
      isAskedElsewhere: this.#options.isAskedElsewhere,
    });
    const mode = this.#options.progressFor(key);
    const progress = progressOf({ dispatcher, clock, key, target, mode });
    const response: ResponseOptions = {
      progress,
      api: request.api,
      head,
      said: (all, calls) => {
        if (head.stored) stored.close(key, head.id, String(all), calls);
      },
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
    let stalled = false;
    try {
      const holdMs = taken.preview ? this.#race.holdMs(key) : 0;
      const left = request.stream
        ? await streamAnswer(items, reply.raw, { ...response, clock, keepAliveMs, holdMs, gone })
        : await answerWhole(items, reply.raw, { ...response, clock });
      if (left === 'finished' && request.stream) this.#race.finished(key);
      stalled = left === 'stalled';
    } finally {
      progress?.close();
      // Whoever was hung up on has not hung up itself: the turn goes on.
      if (gone.aborted && taken.stops && !stalled) hangups.left(key, target);
      else hangups.done(target);
    }
    return reply;
  }
}

const refusedByConfig = 'The configuration refuses utility calls (openclaw.utilityCalls).';

/** Aborts when the client goes before it has everything. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.on('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

const sendFault = (reply: FastifyReply, fault: HttpFault): FastifyReply =>
  reply.code(fault.status).headers(fault.headers).send(fault.body);
