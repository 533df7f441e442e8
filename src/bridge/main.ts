// The only file that names concrete adapters: it wires the house together and takes it down again.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { jsonLog, type Log } from '../base/log.ts';
import { currentTurn } from '../domain/session.ts';
import { endingWords } from '../domain/turn-words.ts';
import type { BridgeStatus, GatewayStatus } from '../domain/views/control.ts';
import type { AgpGateway, Config } from '../protocol/config.ts';
import type { JournalRow } from '../protocol/events.ts';
import { MAX_FRAME_BYTES } from '../protocol/wire.ts';
import { Codes } from './app/codes.ts';
import { Deadlines } from './app/deadlines.ts';
import { Dispatcher } from './app/dispatcher.ts';
import { Guesses } from './app/guesses.ts';
import { Hangups } from './app/hangups.ts';
import { Operator } from './app/operator.ts';
import { react } from './app/reactor.ts';
import { Readers } from './app/reader.ts';
import { VerdictDesk } from './app/verdict-desk.ts';
import { BridgeStartError } from './bridge-start-error.ts';
import { ClaudeAgent } from './claude/claude-agent.ts';
import { claudeCommand } from './claude-command.ts';
import type { JournalView } from './control/control-ports.ts';
import { ControlServer } from './control/control-server.ts';
import { controlHandlers } from './control/handlers.ts';
import { createHttpServer, type HttpServer } from './http/http-server.ts';
import { AgpIngress } from './ingress/agp/agp-ingress.ts';
import { dialGateway } from './ingress/agp/dial.ts';
import { tokenSource } from './ingress/agp/token-source.ts';
import { hostRefused, originRefused } from './ingress/openai/errors.ts';
import { Intake } from './ingress/openai/intake.ts';
import { openAiRoutes } from './ingress/openai/route.ts';
import { JournalError } from './journal/journal-error.ts';
import { type OpenedJournal, openJournal } from './journal/open-journal.ts';
import { recoveredWords } from './journal/recovered.ts';
import type { JournalHealth } from './journal/sqlite-journal.ts';
import { claimStateDir } from './journal/state-dir.ts';
import { tail } from './journal/tail.ts';
import { mediaStore } from './media-store.ts';
import { approvers, launchOptions } from './profiles.ts';
import { announceBridge, providerToken, withdrawBridge } from './state-files.ts';
import { openTerminal } from './terminal/live-terminal.ts';

export { BridgeStartError } from './bridge-start-error.ts';

export interface BridgeOptions {
  config: Config & { cwd: string };
  stateDir: string;
  /** Local socket of the operator's commands. */
  controlPath: string;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Sees every row as it is appended. */
  onRow(row: JournalRow): void;
  /** Sees every change of a connection to a WeChat gateway. */
  onGateway?(status: GatewayStatus): void;
}

export interface Bridge {
  url: string;
  tokenFile: string;
  /** What the operator has to know of the start, in words. */
  notices: string[];
  /** Resolves with the reason when the bridge has ended. */
  closed: Promise<string>;
  /** Drains for up to 5 s, then ends everything. Idempotent. */
  close(reason: string): Promise<void>;
}

/** Milliseconds that turns in flight get to end when the bridge is stopped. */
const drainMs = 5_000;

const channelEntry = fileURLToPath(new URL('../../dist/channel/main.js', import.meta.url));

/** @throws BridgeStartError in words: port in use, a second bridge, a state directory that cannot be trusted. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const stateDir = guarded(() => claimStateDir(options.stateDir));
  const log = fileLog(stateDir);
  let bridge: Wiring | undefined;
  const onHealth = (health: JournalHealth) => bridge?.journalHealth(health);
  const opened = guarded(() => openJournal({ dir: stateDir, log, clock: systemClock, onHealth }));
  try {
    bridge = new Wiring({ ...options, stateDir }, opened, log);
    await bridge.start();
    return bridge;
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
}

function guarded<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof JournalError) {
      throw new BridgeStartError(error.code, sentence(error.message), sentence(error.suggestion), error);
    }
    throw error;
  }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function fileLog(stateDir: string): Log {
  const stream = createWriteStream(join(stateDir, 'bridge.log'), { flags: 'a', mode: 0o600 });
  return jsonLog({ write: (line) => void stream.write(line), wall: systemClock.wall });
}

/** The journal as subscribers read it. */
const journalView = (journal: OpenedJournal['journal']): JournalView => ({
  get last() {
    return journal.last;
  },
  durable: (seq) => journal.durable(seq),
  read: (after, limit, session) => journal.read(after, limit, session),
  tail: (request) => tail(journal, request),
});

class Wiring implements Bridge {
  readonly #options: BridgeOptions;
  readonly #opened: OpenedJournal;
  readonly #log: Log;
  readonly #dispatcher: Dispatcher;
  readonly #deadlines: Deadlines;
  readonly #readers: Readers;
  readonly #codes = new Codes();
  readonly #token: string;
  readonly #http: HttpServer;
  readonly #control: ControlServer;
  readonly #operator: Operator;
  readonly #verdicts: VerdictDesk;
  readonly #gateways: AgpIngress[];
  readonly #startedAt = new Date().toISOString();
  readonly #ended = Promise.withResolvers<string>();
  readonly closed = this.#ended.promise;
  readonly tokenFile: string;
  readonly notices: string[] = [];
  #agent: ClaudeAgent | undefined;
  #closing: Promise<void> | undefined;
  url = '';

  constructor(options: BridgeOptions, opened: OpenedJournal, log: Log) {
    this.#options = options;
    this.#opened = opened;
    this.#log = log;
    const { config, stateDir } = options;
    const { journal, recovered } = opened;
    if (recovered) this.notices.push(recoveredWords(recovered));
    ({ token: this.#token, file: this.tokenFile } = providerToken(stateDir));
    this.#dispatcher = new Dispatcher({
      journal,
      log,
      limits: { queued: config.limits.queuedMessages },
      perform: (key, effect) => {
        const session = this.#dispatcher.session(key);
        // While draining nothing new is handed over: what waits is on disk and goes on at the next start.
        if (this.#closing && (effect.type === 'deliver' || effect.type === 'start')) return;
        if (session && this.#agent) react(this.#agent, session, effect);
      },
      failed: (error) => log.error('not stored', { error }),
    });
    this.#deadlines = new Deadlines({
      clock: systemClock,
      cancelMs: 10_000,
      deliverMs: config.timeouts.startMs * 4,
      turnMs: config.timeouts.turnMs,
      unattendedMs: 60_000,
      dispatch: (key, command) => void this.#dispatcher.dispatch(key, command),
    });
    this.#readers = new Readers(this.#dispatcher, systemClock);
    this.#operator = new Operator({
      dispatcher: this.#dispatcher,
      readers: this.#readers,
      clock: systemClock,
      startMs: config.timeouts.startMs * 4,
      newClaudeId: randomUUID,
      launchFor: (key) => launchOptions(config, key),
      words: (turn) => endingWords(turn, '', undefined),
      screen: (key) => this.#agent?.screenOf(key),
    });
    this.#verdicts = new VerdictDesk({
      dispatcher: this.#dispatcher,
      guesses: new Guesses(systemClock),
      codes: this.#codes,
      approversFor: (key) => approvers(config, key),
    });
    this.#gateways = config.agp.map((each) => this.#gateway(each));
    this.#http = this.#serveHttp();
    this.#control = new ControlServer(
      controlHandlers({
        operator: this.#operator,
        journal: journalView(journal),
        openView: (key, output, ended) => this.#agent?.view(key, output, ended),
        status: () => this.#status(),
        shutdown: (reason) => void this.close(reason),
      }),
      log,
    );
  }

  async start(): Promise<void> {
    const { config, stateDir, controlPath, env, onRow } = this.#options;
    const { journal } = this.#opened;
    this.url = `http://127.0.0.1:${await this.#listen(config.port)}`;
    this.#agent = new ClaudeAgent({
      clock: systemClock,
      log: this.#log,
      report: (key, report) => void this.#dispatcher.dispatch(key, report),
      claimCode: (wanted) => this.#codes.claim(wanted),
      openTerminal,
      stateDir,
      baseUrl: this.url,
      claudeCommand: claudeCommand(config.claude),
      channelEntry,
      nodePath: process.execPath,
      env,
      channels: config.channels,
      limits: {
        maxLive: config.limits.liveSessions,
        idleMs: config.timeouts.idleMs,
        startMs: config.timeouts.startMs,
        permissionMs: config.timeouts.permissionMs,
        inboundLimit: config.limits.queuedMessages,
      },
    });
    await this.#control.listen(controlPath);
    this.#dispatcher.load((row) => this.#codes.observe(row));
    journal.subscribe((row) => {
      this.#deadlines.observe(row);
      for (const gateway of this.#gateways) gateway.observe(row);
      onRow(row);
    });
    for (const { key } of this.#dispatcher.sessions())
      this.#dispatcher.dispatch(key, { type: 'session.recover' });
    announceBridge(stateDir, {
      pid: process.pid,
      url: this.url,
      control: controlPath,
      started_at: this.#startedAt,
    });
    for (const gateway of this.#gateways) gateway.start();
  }

  close(reason: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  /** Every step is taken, whatever happens in the one before: no Claude Code may stay behind. */
  async #close(reason: string): Promise<void> {
    this.#log.info('bridge stops', { reason });
    const steps: (() => unknown)[] = [
      () => this.#drain(),
      () => this.#endTurns(),
      () => Promise.all(this.#gateways.map((gateway) => gateway.close())),
      () => this.#agent?.close(),
      () => this.#deadlines.close(),
      () => this.#control.close(),
      () => this.#http.close(),
      () => this.#opened.journal.close(),
      () => withdrawBridge(this.#options.stateDir),
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        this.#log.error('a step of stopping failed', { error });
      }
    }
    this.#ended.resolve(reason);
  }

  #endTurns(): void {
    for (const session of this.#dispatcher.sessions()) {
      const turn = currentTurn(session);
      if (turn?.phase.name !== 'running') continue;
      this.#dispatcher.dispatch(session.key, { type: 'turn.expire', turn: turn.id, code: 'shutting_down' });
    }
  }

  /** Waits until no turn runs, at most for the drain time. */
  async #drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = () =>
      this.#dispatcher.sessions().some((session) => currentTurn(session)?.phase.name === 'running');
    const look = () => {
      if (!busy()) resolve();
    };
    const cancel = systemClock.after(drainMs, resolve);
    const unsubscribe = this.#opened.journal.subscribe(() => queueMicrotask(look));
    look();
    await promise;
    cancel();
    unsubscribe();
  }

  /** A full disk mends itself; any other failure is final, and then nothing may be acknowledged any more. */
  journalHealth(health: JournalHealth): void {
    if (health.state === 'ok') return;
    this.#log.error('the journal cannot be written', { error: health.error });
    if (health.state === 'failed') void this.close('the journal cannot be written');
  }

  async #listen(port: number): Promise<number> {
    try {
      return await this.#http.listen(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      throw new BridgeStartError(
        code === 'EACCES' ? 'port_forbidden' : 'port_in_use',
        code === 'EACCES'
          ? `Port ${port} may not be used by this user.`
          : `Port ${port} on 127.0.0.1 is in use.`,
        'Is another bridge running (`synthesis ps`)? Otherwise choose one with --port; nothing was started.',
        error,
      );
    }
  }

  #serveHttp(): HttpServer {
    const { config } = this.#options;
    const dispatcher = this.#dispatcher;
    const faults = { host: hostRefused(), origin: originRefused() };
    const http = createHttpServer({
      bodyBytes: config.limits.bodyBytes,
      frameBytes: MAX_FRAME_BYTES,
      refuse: (refusal) => faults[refusal],
      sockets: { '/bridge': (socket) => this.#agent?.channels.accept(socket) },
    });
    http.app.register(
      async (app) =>
        openAiRoutes(app, {
          clock: systemClock,
          log: this.#log,
          dispatcher,
          readers: this.#readers,
          hangups: new Hangups(dispatcher, systemClock),
          intake: new Intake({
            heartbeat: config.openclaw.heartbeat,
            saveMedia: mediaStore(this.#options.stateDir),
            verdicts: this.#verdicts,
            dispatcher,
            newClaudeId: randomUUID,
            launchFor: (key) => launchOptions(config, key),
          }),
          token: this.#token,
          keepAliveMs: config.timeouts.keepAliveMs,
          bodyBytes: config.limits.bodyBytes,
          approversFor: (key) => approvers(config, key),
          draining: () => this.#closing !== undefined,
        }),
      { prefix: '/v1' },
    );
    http.app.get('/healthz', () => ({ status: this.#status().status }));
    http.app.post<{ Params: { event: string } }>('/hooks/:event', async (request, reply) => {
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      const answer = await this.#agent?.handleHook({
        token: /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1],
        event: request.params.event,
        body: request.body,
        signal: gone.signal,
        onWritten: (listener) => void reply.raw.once('finish', listener),
      });
      return reply.code(answer?.status ?? 503).send(answer?.body ?? {});
    });
    return http;
  }

  #gateway(settings: AgpGateway): AgpIngress {
    const { config, onGateway } = this.#options;
    const { url, guid, userId, reconnectInterval, maxReconnectAttempts, heartbeatInterval } = settings;
    const gateway: AgpIngress = new AgpIngress({
      url,
      token: tokenSource(settings),
      reconnectMs: reconnectInterval,
      maxAttempts: maxReconnectAttempts,
      heartbeatMs: heartbeatInterval,
      clock: systemClock,
      dial: dialGateway,
      random: Math.random,
      log: this.#log,
      dispatcher: this.#dispatcher,
      readers: this.#readers,
      verdicts: this.#verdicts,
      newTurnId: () => newId('t'),
      newClaudeId: randomUUID,
      newMessageId: randomUUID,
      launchFor: (key) => launchOptions(config, key),
      changed: () => onGateway?.(gatewayStatus(gateway)),
      ...(guid !== undefined && { guid }),
      ...(userId !== undefined && { userId }),
    });
    return gateway;
  }

  #status(): BridgeStatus {
    const sessions = this.#dispatcher.sessions();
    const health = sessions.flatMap((session) => session.health);
    const connections = this.#gateways.map(gatewayStatus);
    const unwell =
      health.some((each) => !each.info) || connections.some(({ state }) => state !== 'connected');
    return {
      version: this.#options.version,
      pid: process.pid,
      url: this.url,
      state_dir: this.#options.stateDir,
      started_at: this.#startedAt,
      sessions: sessions.length,
      live: sessions.filter((session) => session.agent.name === 'ready').length,
      status: this.#closing ? 'unavailable' : unwell ? 'degraded' : 'healthy',
      health,
      connections,
    };
  }
}

function gatewayStatus(gateway: AgpIngress): GatewayStatus {
  const { since, ...status } = gateway.status();
  return { url: gateway.url, ...status, since: new Date(since).toISOString() };
}
