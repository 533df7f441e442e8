import { silentLog } from '../../src/base/log.ts';
import { type Clock, systemClock } from '../../src/base/time/clock.ts';
import { Codes } from '../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../src/bridge/app/desks/guesses.ts';
import { PanicDesk } from '../../src/bridge/app/desks/panic-desk.ts';
import { QueueDesk } from '../../src/bridge/app/desks/queue-desk.ts';
import { VerdictDesk } from '../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../src/bridge/app/dispatcher.ts';
import { Hangups } from '../../src/bridge/app/hangups.ts';
import type { Masks } from '../../src/bridge/app/masking.ts';
import { MessageGate } from '../../src/bridge/app/message-gate.ts';
import type { JournalPort, OneShotPort } from '../../src/bridge/app/ports.ts';
import { react } from '../../src/bridge/app/reactor.ts';
import { Readers } from '../../src/bridge/app/reader/reader.ts';
import { WarmUps } from '../../src/bridge/app/warm/warm-ups.ts';
import {
  type ConnectionLimits,
  createHttpServer,
  type HttpServer,
} from '../../src/bridge/http/http-server.ts';
import type { Elsewhere } from '../../src/bridge/ingress/openai/elsewhere.ts';
import { Intake } from '../../src/bridge/ingress/openai/intake.ts';
import { refusalOf, thrownFault } from '../../src/bridge/ingress/openai/refusals.ts';
import { openAiRoutes } from '../../src/bridge/ingress/openai/route.ts';
import { StoredResponses } from '../../src/bridge/ingress/openai/stored/stored-responses.ts';
import { MemoryJournal } from '../../src/bridge/journal/memory-journal.ts';
import { TokenBook } from '../../src/bridge/tokens/token-book.ts';
import type { MessageLimits } from '../../src/domain/message/message-limits.ts';
import type { LaunchOptions } from '../../src/protocol/events/events.ts';
import type { PanicRecord } from '../../src/protocol/panic.ts';
import { Config, MEASURED_CHANNELS, type ProgressMode } from '../../src/protocol/settings/config.ts';
import type { QueueMode } from '../../src/protocol/settings/queue-mode.ts';
import { noMasks } from './no-masks.ts';
import { ScriptedAgent, ScriptedTools } from './scripted-agent.ts';

const launch: LaunchOptions = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' };

/** The bridge's inside with a real HTTP door: everything but the journal's disk and Claude Code. */
export class SmallBridge implements AsyncDisposable {
  readonly agent = new ScriptedAgent();
  readonly tools = new ScriptedTools();
  readonly codes = new Codes();
  readonly token = 'token-of-the-test';
  /** What would be read from the state directory. */
  tokens = new TokenBook(this.token, []);
  readonly dispatcher: Dispatcher;
  readonly journal: JournalPort;
  readonly #http: HttpServer;
  url = '';
  draining = false;
  approvers: string[] = [];
  queueMode: QueueMode = 'queue';
  progress: ProgressMode = 'off';
  readonly readers: Readers;
  readonly warmUps: WarmUps;
  /** Whether one more Claude Code has a place. */
  hasRoom = true;
  /** What would lie in the state directory. */
  kept: PanicRecord | undefined;
  saveFails = false;
  /** Why everything was ended, each time. */
  readonly endedAll: string[] = [];
  readonly panic: PanicDesk;
  /** The hub's gateway. `look` is what a test finds there. */
  readonly hub: { lostAt: number | undefined; look(): void } = { lostAt: undefined, look: () => {} };
  /** What answers utility calls. */
  oneShots: OneShotPort | undefined;
  /** Whether another door asks a question. */
  isAskedElsewhere: (code: string) => Promise<boolean> = async () => false;

  constructor(
    options: {
      journal?: JournalPort;
      keepAliveMs?: number;
      bodyBytes?: number;
      masks?: Masks;
      clock?: Clock;
      /** What streams go by: keep-alives, lines of progress. */
      streamClock?: Clock;
      mostRequests?: number;
      connections?: Partial<ConnectionLimits>;
      limits?: MessageLimits;
      failed?: (error: unknown) => void;
      /** Other machines. */
      elsewhere?: Elsewhere;
    } = {},
  ) {
    this.journal = options.journal ?? new MemoryJournal();
    this.panic = new PanicDesk({
      store: {
        load: () => this.kept,
        save: (record) => {
          if (this.saveFails) throw new Error('the disk is full');
          this.kept = record;
        },
        clear: () => {
          this.kept = undefined;
        },
      },
      clock: options.clock ?? systemClock,
      log: silentLog,
      dispatcher: () => this.dispatcher,
      endAll: async (reason) => {
        this.endedAll.push(reason);
        return { ended: [], alive: [], unseen: [] };
      },
    });
    this.dispatcher = new Dispatcher({
      journal: this.journal,
      log: silentLog,
      limits: { queued: 3 },
      panic: () => this.panic.record,
      perform: (key, effect) => {
        const session = this.dispatcher.session(key);
        if (session) react({ agent: this.agent, tools: this.tools }, session, effect);
      },
      failed:
        options.failed ??
        ((error) => {
          throw error;
        }),
    });
    this.readers = new Readers(this.dispatcher, systemClock);
    this.journal.subscribe((row) => this.codes.observe(row));
    this.agent.report = (key, report) => void this.dispatcher.dispatch(key, report);
    const bodyBytes = options.bodyBytes ?? 1_000_000;
    this.#http = createHttpServer({
      frameBytes: 1000,
      refuse: refusalOf,
      failed: (error, request) => thrownFault(silentLog, error, request),
      sockets: {},
      ...(options.connections && { limits: options.connections }),
    });
    let claudes = 0;
    const newClaudeId = () => `claude-${++claudes}`;
    this.warmUps = new WarmUps({
      dispatcher: this.dispatcher,
      clock: options.clock ?? systemClock,
      log: silentLog,
      newClaudeId,
      launchFor: () => launch,
      hasRoom: () => this.hasRoom,
    });
    const stored = new StoredResponses(this.dispatcher);
    openAiRoutes(this.#http.routes, {
      clock: options.streamClock ?? systemClock,
      log: silentLog,
      dispatcher: this.dispatcher,
      readers: this.readers,
      masks: options.masks ?? noMasks,
      hangups: new Hangups(this.dispatcher, options.clock ?? systemClock, this.hub),
      stored,
      warmUps: { warm: async (...hint) => this.warmUps.warm(...hint) },
      intake: new Intake({
        stored,
        dispatcher: this.dispatcher,
        newClaudeId,
        launchFor: () => launch,
        verdicts: new VerdictDesk({
          dispatcher: this.dispatcher,
          guesses: new Guesses(options.clock ?? systemClock),
          codes: this.codes,
          approversFor: () => this.approvers,
        }),
        gate: new MessageGate(options.clock ?? systemClock, options.limits ?? Config.parse({}).limits),
        queue: new QueueDesk({
          dispatcher: this.dispatcher,
          queueModeFor: () => this.queueMode,
          approversFor: () => this.approvers,
        }),
        heartbeat: 'skip',
        provenChannels: MEASURED_CHANNELS,
        saveMedia: (_, bytes, mime) => `/media/${bytes.length}.${mime.split('/')[1]}`,
      }),
      tokens: { look: (secret) => this.tokens.look(secret, Date.now()) },
      keepAliveMs: options.keepAliveMs ?? 10_000,
      bodyBytes,
      mostRequests: options.mostRequests ?? 100,
      proved: this.#http.proved,
      isAdopted: this.#http.isAdopted,
      progressFor: () => this.progress,
      approversFor: () => this.approvers,
      isAskedElsewhere: (code) => this.isAskedElsewhere(code),
      draining: () => this.draining,
      utilityCalls: 'answer',
      oneShots: () => this.oneShots,
      elsewhere: options.elsewhere,
    });
  }

  static async start(options: ConstructorParameters<typeof SmallBridge>[0] = {}): Promise<SmallBridge> {
    const bridge = new SmallBridge(options);
    bridge.url = `http://127.0.0.1:${await bridge.#http.listen(0)}`;
    return bridge;
  }

  post(
    body: unknown,
    options: { headers?: Record<string, string>; path?: string; signal?: AbortSignal } = {},
  ) {
    const response = fetch(`${this.url}/v1/${options.path ?? 'chat/completions'}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    });
    // A test that is about something else ends before its response, which then breaks; whoever awaits it is told.
    response.catch(() => {});
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.close();
  }
}
