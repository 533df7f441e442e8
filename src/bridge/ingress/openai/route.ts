// The /v1 door: parsing, refusals, answers. Who may come in is decided in admission.ts, what a
// request means in intake.ts.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import {
  answerRoad,
  type ChatPlace,
  dialectOf,
  questionText,
} from '../../../domain/question/question-text.ts';
import { refusedText } from '../../../domain/state/panic.ts';
import type { Ask } from '../../../domain/state/session.ts';
import { heldText } from '../../../domain/words/held-text.ts';
import { endingWords } from '../../../domain/words/turn-words.ts';
import type { ProgressMode } from '../../../protocol/settings/config.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Hangups } from '../../app/hangups.ts';
import type { Masks } from '../../app/masking.ts';
import type { OneShotPort } from '../../app/ports.ts';
import type { Readers } from '../../app/reader/reader.ts';
import { readJson } from '../../http/read-json.ts';
import { type Answer, type Exchange, ok, type Routes } from '../../http/routes.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import type { ResponseHead } from './answer/answer.ts';
import { answerObject } from './answer/answer-object.ts';
import { answerStream } from './answer/answer-stream.ts';
import { PreviewRace } from './answer/preview-race.ts';
import { progressOf } from './answer/progress.ts';
import { type Elsewhere, notHere } from './elsewhere.ts';
import {
  invalidRequest,
  modelNotFound,
  notStored,
  type Read,
  sessionOutside,
  tooBusy,
  unanswered,
} from './errors.ts';
import { isOwnResponse } from './identity/within-limit.ts';
import type { Intake } from './intake.ts';
import { isOurs, modelRoutes, models } from './model-routes.ts';
import type { Reading, Unnamed } from './reply.ts';
import { bodyFault } from './request/body-fault.ts';
import type { ProviderRequest } from './request/provider-request.ts';
import { readChatRequest, readResponsesRequest } from './request/read-request.ts';
import { answerWhole, type ResponseOptions, streamAnswer } from './respond.ts';
import { storedResponseRoutes } from './stored/stored-response-routes.ts';
import type { StoredResponses } from './stored/stored-responses.ts';
import { oneShotPrompt } from './utility/utility-call.ts';
import { type WarmRouteOptions, warmRoute } from './warm-route.ts';

export interface OpenAiOptions extends AdmissionOptions, Pick<WarmRouteOptions, 'warmUps'> {
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
  masks: Masks;
  /** Whether a card of the hub asks this permission question, so that no text has to. */
  isAskedElsewhere(code: string): Promise<boolean>;
  /** Where there are other machines. */
  elsewhere?: Elsewhere | undefined;
}

/** Parallel calls of one message arrive within a few milliseconds of each other (measured on Claude Code 2.1.329). */
const quietMs = 40;

export function openAiRoutes(routes: Routes, options: OpenAiOptions): void {
  const door = new Door(options);
  const { admitted } = new Admission(options);
  const post = (path: string, reader: Reader) =>
    routes.add(
      'POST',
      path,
      admitted((exchange, limit) => door.answer(exchange, reader, limit)),
    );
  post('/v1/chat/completions', readChatRequest);
  post('/v1/responses', readResponsesRequest);
  modelRoutes(routes, options);
  storedResponseRoutes(routes, { ...options, admitted });
  warmRoute(routes, { ...options, admitted });
}

type Reader = (body: unknown, fields: IncomingHttpHeaders) => Read<ProviderRequest>;

/** What a response needs of its request. */
type Asked = Pick<ProviderRequest, 'api' | 'stream' | 'includeUsage'> & { head: ResponseHead };

class Door {
  readonly #options: OpenAiOptions;
  readonly #race: PreviewRace;

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.#race = new PreviewRace(options.clock);
  }

  /** @param limit the conversations that the request may touch; undefined: all */
  async answer(exchange: Exchange, readBody: Reader, limit: string | undefined): Promise<Answer | undefined> {
    const { request, response } = exchange;
    const json = await readJson(request, this.#options.bodyBytes);
    if (!json.ok) return bodyFault(json.why, request.headers, this.#options.bodyBytes);
    const body = readBody(json.value, request.headers);
    if (!body.ok) return body.fault;
    if (!isOurs(body.value.model)) return modelNotFound(body.value.model, models);
    const { elsewhere, intake, isAdopted, stored } = this.#options;
    // Before words are stored with it, also those that another machine is away.
    if (limit !== undefined && isOwnResponse(limit, body.value.previous, stored) === false)
      return sessionOutside(limit);
    const place = elsewhere && intake.conversationOf(body.value);
    if (place) {
      const relayed = isAdopted(request.socket);
      const about = { ...place, body: JSON.stringify(json.value), relayed, limit };
      const sent = await elsewhere?.send(exchange, about);
      if (sent?.kind === 'answered') return undefined;
      if (sent?.kind === 'not_here') return notHere;
      if (sent?.kind === 'outside') return sessionOutside(limit ?? '');
      if (sent?.kind === 'words') return this.#words(body.value, sent.text);
    }
    const taken = intake.take(body.value, limit);
    switch (taken.kind) {
      case 'nothing_new':
        return invalidRequest('messages: there is no new message to answer.', 'messages');
      case 'not_stored':
        return notStored(this.#options.dispatcher);
      case 'one_shot':
        return this.#askOnce(response, body.value);
      case 'refused':
        return taken.fault;
      case 'words':
        return this.#words(body.value, taken.text);
      case 'read':
        return this.#read(response, body.value, taken);
    }
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
  async #words(request: ProviderRequest, text: string): Promise<Answer> {
    const { api, includeUsage, previous } = request;
    const { stored, dispatcher } = this.#options;
    const found = previous === undefined ? undefined : stored.find(previous);
    const place =
      found && 'session' in found ? { key: found.session.key, turn: found.response.turn } : undefined;
    const head = this.#head(request, place);
    if (place && head.stored) stored.close(place.key, head.id, text, []);
    await dispatcher.stored(place?.key);
    if (!request.stream) return ok(answerObject({ api, head, text, inputCharacters: 0 }));
    const stream = answerStream({ api, head, includeUsage });
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
      body: [stream.open(), stream.text(text), ...stream.finish({ said: text, inputCharacters: 0 })].join(''),
    };
  }

  /** What can wait is done while the disk is at work. */
  async #read(
    response: ServerResponse,
    request: ProviderRequest,
    { name, ...reading }: Unnamed,
  ): Promise<Answer | undefined> {
    const { key, target, seq } = reading;
    const early = request.store ? name() : undefined;
    const head = this.#head(request, { key, turn: target, ...(early !== undefined && { name: early }) });
    const { api, stream, includeUsage } = request;
    const [isTaken, named] = await Promise.all([
      this.#isTaken(reading, head.stored ? this.#options.dispatcher.seq : seq),
      early ?? nextTurn().then(name),
    ]);
    if (!isTaken) return notStored(this.#options.dispatcher);
    return this.#sendTurns(response, { api, stream, includeUsage, head }, { ...reading, request: named });
  }

  /** What a reader reads may wait for room on the disk; a message that does was not taken. */
  async #isTaken(
    { key, target, submitted }: Pick<Reading, 'key' | 'target' | 'submitted'>,
    seq: number,
  ): Promise<boolean> {
    const { dispatcher } = this.#options;
    if (submitted) return dispatcher.took(key, target, seq);
    await dispatcher.durable(seq, key);
    return true;
  }

  async #askOnce(response: ServerResponse, request: ProviderRequest): Promise<Answer> {
    const { dispatcher, oneShots, utilityCalls } = this.#options;
    if (utilityCalls === 'refuse') return unanswered(refusedByConfig);
    if (dispatcher.panic) return unanswered(refusedText(dispatcher.panic.since));
    const claude = oneShots();
    if (!claude) return tooBusy(1, 'The bridge is starting.');
    const prompt = oneShotPrompt(request);
    if (!prompt.ok) return prompt.fault;
    const answer = await claude.ask(prompt.value, goneSignal(response));
    if (answer.ok) return this.#words(request, (await this.#options.masks.of()).whole(answer.text).text);
    return answer.busy ? tooBusy(10, answer.detail) : unanswered(answer.detail);
  }

  /**
   * It lasts as long as the turns, and holds nothing of the request that it does not need: a hub sends its whole history.
   */
  async #sendTurns(
    response: ServerResponse,
    { api, stream, includeUsage, head }: Asked,
    taken: Reading,
  ): Promise<undefined> {
    const { dispatcher, readers, clock, keepAliveMs, stored } = this.#options;
    const { key, target } = taken;
    const gone = goneSignal(response);
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
    const about: ResponseOptions = {
      progress,
      mask: () => this.#options.masks.of(key),
      api,
      head,
      said: (all, calls) => {
        if (head.stored) stored.close(key, head.id, all.slice(), calls);
      },
      includeUsage,
      inputCharacters: taken.inputCharacters,
      target,
      lost: taken.lost,
      ...(taken.note !== undefined && { note: taken.note }),
      question: (ask, before) => questionText(ask, { ...this.#placeOf(key, ask), before }),
      endingWords: (turn) => endingWords(turn, key, dispatcher.session(key)?.claude),
      heldWords: (turn, hold) => heldText(turn, hold, key, dispatcher.session(key)?.claude),
    };
    const { hangups } = this.#options;
    hangups.attached(key, target, taken.repeats);
    let stalled = false;
    try {
      const holdMs = taken.preview ? this.#race.holdMs(key) : 0;
      const left = stream
        ? await streamAnswer(items, response, { ...about, clock, keepAliveMs, holdMs, gone })
        : await answerWhole(items, response, { ...about, clock });
      if (left === 'finished' && stream) this.#race.finished(key);
      stalled = left === 'stalled';
    } finally {
      progress?.close();
      // Whoever was hung up on has not hung up itself: the turn goes on.
      if (gone.aborted && taken.stops && !stalled) hangups.left(key, target);
      else hangups.done(target);
    }
  }
}

const refusedByConfig = 'The configuration refuses utility calls (openclaw.utilityCalls).';

/** Aborts when the client goes before it has everything. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
