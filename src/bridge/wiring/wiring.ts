// Wires the house together and takes it down again.
import { systemClock } from '../../base/time/clock.ts';
import { stoppedWords } from '../../domain/state/panic.ts';
import type { BridgeStatus, GatewayStatus } from '../../domain/views/control.ts';
import { panicNotice } from '../../domain/views/words/panic-words.ts';
import type { Health } from '../../protocol/events/events.ts';
import { ClaudeIds } from '../app/claude-ids.ts';
import type { Deadlines } from '../app/deadlines.ts';
import { Codes } from '../app/desks/codes.ts';
import type { PanicDesk } from '../app/desks/panic-desk.ts';
import type { VerdictDesk } from '../app/desks/verdict-desk.ts';
import { Dispatcher } from '../app/dispatcher.ts';
import { LateResults } from '../app/late-results.ts';
import { MessageGate } from '../app/message-gate.ts';
import { NotKeptError } from '../app/not-kept.ts';
import type { Operator } from '../app/operator/operator.ts';
import { react } from '../app/reactor.ts';
import { Readers } from '../app/reader/reader.ts';
import type { Bridge, BridgeEnd, BridgeOptions, ClaudeFate } from '../bridge.ts';
import type { ClaudeAgent } from '../claude/claude-agent.ts';
import type { ControlServer } from '../control/control-server.ts';
import type { ProofDesk } from '../control/guard.ts';
import { endAll } from '../end-all.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { AgpIngress } from '../ingress/agp/agp-ingress.ts';
import type { JournalHealth } from '../journal/journal-state.ts';
import type { OpenedJournal } from '../journal/start/open-journal.ts';
import type { KnownSecrets } from '../known-secrets.ts';
import type { OpenClawHub } from '../openclaw/gateway/openclaw-hub.ts';
import { SecretChanges } from '../operator-secret/secret-changes.ts';
import { OutgoingMasks } from '../outgoing-masks.ts';
import { type OwnFiles, ownFiles } from '../own-files.ts';
import { channelProgram } from '../programs.ts';
import { announceBridge, hostSecret, withdrawBridge } from '../state-files.ts';
import { bridgeToken } from '../tokens/bridge-token.ts';
import { TokenStore } from '../tokens/token-store.ts';
import { bridgeStatus } from './bridge-status.ts';
import { CallersPart } from './callers-part.ts';
import { claudeAgent } from './claude-agent.ts';
import { ClusterPart } from './cluster-part.ts';
import { deadlinesOf, operatorOf, panicDesk, verdictDesk } from './core-desks.ts';
import { gatewayStatus } from './gateway-status.ts';
import { diskWords, JournalNotices } from './journal/journal-notices.ts';
import { Retention } from './journal/retention.ts';
import type { FileLog } from './log/file-log.ts';
import { openClawHub } from './openclaw-hub.ts';
import { OperatorPrograms } from './operator-programs.ts';
import { BridgeHealth } from './serve/bridge-health.ts';
import { drain, endTurns } from './serve/drain.ts';
import { listen } from './serve/listen.ts';
import { serveControl } from './serve/serve-control.ts';
import { serveHttp } from './serve/serve-http.ts';
import { SessionParts } from './session-parts.ts';
import { goOn } from './start/go-on.ts';
import { SetupNotices } from './start/setup-notices.ts';
import { takeEach } from './take-each.ts';
import { ToolProviders } from './tools/tool-providers.ts';
import { Warming } from './warming.ts';

/** Loaded where a gateway is configured. */
export type LoadedAgp = typeof import('./agp-gateway.ts') | undefined;

export interface WiringOptions extends BridgeOptions {
  /** What decisions are proven with, if that is configured. */
  secret: { readonly fingerprint: string; connect(): ProofDesk } | undefined;
  known: KnownSecrets;
}

export class Wiring implements Bridge {
  readonly #options: WiringOptions;
  readonly #opened: OpenedJournal;
  readonly #logFile: FileLog;
  readonly #dispatcher: Dispatcher;
  readonly #deadlines: Deadlines;
  readonly #readers: Readers;
  readonly #codes = new Codes();
  readonly #claudeIds = new ClaudeIds();
  readonly #secret = new SecretChanges();
  readonly #http: HttpServer;
  readonly #control: ControlServer;
  readonly #operator: Operator;
  readonly #panic: PanicDesk;
  readonly #verdicts: VerdictDesk;
  readonly #gateways: AgpIngress[];
  readonly #hub: OpenClawHub;
  readonly #own: OwnFiles;
  readonly #setup: SetupNotices;
  readonly #programs: OperatorPrograms;
  readonly #retention: Retention;
  readonly #disk: JournalNotices;
  readonly #tools: ToolProviders;
  readonly #hostSecret: string;
  readonly #parts: SessionParts;
  readonly #warming: Warming;
  readonly #health: BridgeHealth;
  readonly #cluster: ClusterPart;
  readonly #callers: CallersPart;
  readonly #startedAt = new Date().toISOString();
  readonly #ended = Promise.withResolvers<BridgeEnd>();
  readonly closed = this.#ended.promise;
  readonly tokenFile: string;
  readonly notices: string[] = [];
  #agent: ClaudeAgent | undefined;
  /** What was there before goes on. */
  #goesOn = false;
  #closing: Promise<void> | undefined;
  /** Nothing new is taken any more. */
  #isStopping = false;
  #fate: ClaudeFate = 'keep';
  /** The secret of before holds no more: said until the next start. */
  #lost: Health | undefined;
  url = '';

  constructor(options: WiringOptions, opened: OpenedJournal, logFile: FileLog, agp: LoadedAgp) {
    this.#options = options;
    this.#opened = opened;
    const { log } = logFile;
    this.#logFile = logFile;
    const { config, stateDir, configFile, env } = options;
    const { journal } = opened;
    this.#own = ownFiles(stateDir, configFile, config, env);
    this.#setup = new SetupNotices({
      ...options,
      own: this.#own,
      sessions: () => this.#dispatcher.sessions(),
    });
    this.#disk = new JournalNotices(opened, log);
    this.notices.push(...this.#disk.start.map(({ words }) => words));
    this.tokenFile = bridgeToken(stateDir).file;
    const tokens = new TokenStore({ stateDir, clock: systemClock, log });
    this.#panic = panicDesk(stateDir, log, {
      dispatcher: () => this.#dispatcher,
      endAll: (reason) =>
        endAll({
          stateDir,
          env,
          clock: systemClock,
          quit: async () => this.#agent?.endAll(reason),
          keyOf: this.#callers.keyOf,
        }),
    });
    this.#dispatcher = new Dispatcher({
      journal,
      log,
      limits: { queued: config.limits.queuedMessages },
      panic: () => this.#panic.record,
      copies: () => this.#cluster.copies,
      perform: (key, effect) => {
        const session = this.#dispatcher.session(key);
        // What waits is on disk, and goes on at the next start or with `resume`.
        if (!this.#mayBegin && (effect.type === 'deliver' || effect.type === 'start')) return;
        if (session && this.#agent) react({ agent: this.#agent, tools: this.#tools }, session, effect);
      },
      unwatched: (key) => this.#retention.unwatched(key),
      failed: (error) => {
        if (!(error instanceof NotKeptError)) log.error('not stored', { error });
      },
    });
    this.#tools = new ToolProviders({ ...options, log, dispatcher: this.#dispatcher });
    this.#callers = new CallersPart({
      config,
      stateDir,
      dispatcher: () => this.#dispatcher,
      isProof: (secret) => tokens.mayDecide(secret),
      secret: options.secret,
    });
    this.#hostSecret = hostSecret(stateDir);
    this.#parts = new SessionParts({
      env,
      log,
      spare: config.hosts.spare,
      hosts: this.#callers.hosts,
      stateDir,
      secret: this.#hostSecret,
    });
    this.#deadlines = deadlinesOf(config, this.#dispatcher);
    this.#readers = new Readers(this.#dispatcher, systemClock);
    this.#cluster = new ClusterPart({
      ...options,
      log,
      dispatcher: this.#dispatcher,
      startedAt: this.#startedAt,
      claude: this.#own.claude.folder,
      forget: (key) => this.#retention.forgetKept(key),
      live: () => this.live,
      lease: (key, ms) => this.#agent?.lease(key, ms),
    });
    this.#operator = operatorOf(config, stateDir, {
      dispatcher: this.#dispatcher,
      readers: this.#readers,
      screen: (key) => this.#agent?.screenOf(key),
      forgotten: (key) => this.#retention.forgotten(key),
      erased: (key) => this.#cluster.erased(key),
      mayTake: (key) => this.#cluster.mayTake(key),
      staysOf: (key) => this.#cluster.staysOf(key),
    });
    this.#verdicts = verdictDesk(config, this.#dispatcher, {
      isKnown: (code) => this.#codes.isKnown(code) || this.#cluster.asks(code),
    });
    const shared = {
      config,
      log,
      dispatcher: this.#dispatcher,
      readers: this.#readers,
      verdicts: this.#verdicts,
      gate: new MessageGate(systemClock, config.limits),
      masks: new OutgoingMasks(config, options.known),
    };
    const changed = (status: GatewayStatus) => options.onGateway?.(status);
    this.#gateways = config.agp.flatMap((each) => agp?.agpGateway(each, { ...shared, changed }) ?? []);
    this.#hub = openClawHub({ ...shared, version: options.version, own: this.#own, changed });
    this.#programs = new OperatorPrograms({ ...shared, opened, env });
    this.#warming = new Warming({ ...shared, env });
    this.#health = new BridgeHealth({ ...options, ...shared, opened, status: () => this.#status() });
    this.#http = serveHttp({
      ...shared,
      ...this.#health,
      stateDir,
      tokens,
      refused: this.#callers.refusedOnPort,
      agent: () => (this.#goesOn ? this.#agent : undefined),
      draining: () => this.#isStopping,
      isAskedElsewhere: (code) => this.#hub.asksAlone(code),
      hub: this.#hub,
      warmUps: {
        warm: (key, by) => {
          this.#hub.messageComes(key);
          return this.#warming.warm(key, by);
        },
      },
      elsewhere: this.#cluster.elsewhere,
    });
    this.#control = serveControl({
      ...this.#health,
      cluster: this.#cluster.desk,
      operator: this.#operator,
      panic: this.#panic,
      pruner: () => this.#retention.pruner,
      tools: this.#tools,
      opened,
      log,
      guardLocal: this.#callers.guardLocal,
      setup: () => this.#setup.now(),
      openView: (key, output, ended) => this.#agent?.view(key, output, ended),
      shutdown: (reason, claude) => void this.close(reason, claude),
    });
    const known = {
      codes: this.#codes,
      claudeIds: this.#claudeIds,
      panic: this.#panic,
      secret: this.#secret,
    };
    this.#retention = new Retention({ ...shared, ...known, opened, stateDir });
  }

  async start(): Promise<void> {
    const { config, stateDir, controlPath, flags, env, onRow } = this.#options;
    const { journal } = this.#opened;
    // Whoever is told of a conversation that is not loaded yet would begin another one.
    const results = new LateResults();
    this.#dispatcher.load((row) => {
      for (const folded of [this.#codes, this.#claudeIds, this.#panic, this.#secret, results])
        folded.observe(row);
      for (const part of [this.#retention, this.#programs]) part.load(row);
    }, this.#opened.base);
    await this.#health.follow();
    await this.#cluster.load({
      http: (connection) => this.#http.adopt(connection),
      control: (connection, { from, may }) =>
        this.#control.adopt(connection, this.#callers.guardFar(from, may)),
    });
    const doors = [this.#claudeIds, this.#deadlines, ...this.#gateways, this.#hub];
    const observers = [...doors, this.#retention, this.#parts, this.#programs, this.#cluster];
    journal.subscribe((row) => {
      for (const observer of observers) observer.observe(row);
      onRow(row);
    });
    this.url = `http://127.0.0.1:${await listen(this.#http, config.port)}`;
    this.#agent = claudeAgent({
      config,
      log: this.#logFile.log,
      dispatcher: this.#dispatcher,
      codes: this.#codes,
      claudeIds: this.#claudeIds,
      stateDir,
      controlPath,
      own: this.#own,
      localTools: this.#tools,
      loadHosts: this.#parts.loadHosts,
      baseUrl: this.url,
      channelEntry: channelProgram,
      leaseOf: (key) => this.#cluster.leaseOf(key),
      stopped: () => this.#panic.record && stoppedWords(this.#panic.record),
      env,
    });
    await this.#control.listen(controlPath);
    this.#panic.reconcile();
    this.#tellSecret();
    await this.#tools.start(config);
    const app = { dispatcher: this.#dispatcher, deadlines: this.#deadlines, agent: this.#agent, results };
    const hosts = { hosts: this.#callers.hosts, secret: this.#hostSecret };
    await goOn({ ...app, ...hosts, config, stateDir, log: this.#logFile.log });
    this.#goesOn = true;
    this.notices.push(...(await this.#setup.atStart()));
    const [started_at, { pid }] = [this.#startedAt, process];
    const node = config.cluster?.node;
    announceBridge(stateDir, { pid, url: this.url, control: controlPath, started_at, flags, node });
    this.#panic.lookAgain();
    if (this.#panic.view) this.notices.push(panicNotice(this.#panic.view));
    const parts = [
      ...this.#gateways,
      this.#hub,
      this.#programs,
      this.#retention,
      this.#warming,
      this.#cluster,
    ];
    for (const part of parts) part.start();
    setImmediate(() => void this.#prepare());
  }

  /** Another secret than at the last start, or none any more: whoever writes the configuration can do that. */
  #tellSecret(): void {
    const change = this.#secret.since(this.#options.secret?.fingerprint ?? null);
    if (!change) return;
    this.#dispatcher.record(change.event);
    this.notices.push(change.words);
    if (change.isLoss) this.#lost = { code: 'operator_secret', words: change.words };
  }

  /** What the first messages need. Behind the ready line. */
  async #prepare(): Promise<void> {
    await this.#parts.load(() => this.#panic.record !== undefined);
    void this.#health.load();
    await this.#warming.startLastUsed();
  }

  /** Nothing is handed over, and no Claude Code is started, until all is as before; while it drains; in a panic. */
  get #mayBegin(): boolean {
    return this.#goesOn && !this.#isStopping && this.#panic.record === undefined;
  }

  get live(): number {
    return this.#agent?.sessions().filter(({ pid }) => pid !== undefined).length ?? 0;
  }

  close(reason: string, claude: ClaudeFate = 'end'): Promise<void> {
    if (claude === 'end') {
      this.#fate = 'end';
      this.#isStopping = true;
    }
    this.#warming.close();
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: string): Promise<void> {
    const { journal } = this.#opened;
    const failed = journal.health === 'failed';
    let kept = 0;
    const steps: (() => unknown)[] = [
      // Where Claude goes on, everybody is served as ever until then: short answers come whole.
      // What does not go on yet does not end by itself either.
      () => failed || !this.#goesOn || drain(this.#dispatcher, journal, systemClock),
      () => {
        this.#isStopping = true;
        kept = this.#fate === 'keep' ? this.live : 0;
        this.#logFile.log.info('bridge stops', { reason, claude: this.#fate });
      },
      () => this.#fate === 'keep' || endTurns(this.#dispatcher, failed ? 'disk_failed' : 'shutting_down'),
      () => this.#readers.stop(),
      () => Promise.all(this.#gateways.map((gateway) => gateway.close())),
      () => this.#hub.close(),
      () => this.#cluster.close(),
      () => Promise.all([this.#programs.close(), this.#health.close()]),
      () => this.#retention.close(),
      () => this.#parts.close(),
      () => (this.#fate === 'keep' ? this.#agent?.leave() : this.#agent?.close()),
      () => this.#tools.close(),
      () => this.#deadlines.close(),
      () => this.#control.close(),
      () => this.#http.close(),
      () => journal.close(),
      () => withdrawBridge(this.#options.stateDir),
    ];
    await takeEach(steps, this.#logFile.log);
    await this.#logFile.close();
    this.#ended.resolve({ reason, failed, kept });
  }

  /** A full disk mends itself; any other failure is final, and then nothing may be acknowledged any more. */
  journalHealth(health: JournalHealth): void {
    this.#options.onNotice?.(diskWords[health.state]);
    if (health.state === 'failed') void this.close(health.error.message);
  }

  #status(): BridgeStatus {
    const { version, stateDir, config } = this.#options;
    const { cwd } = config;
    const about = { version, url: this.url, state_dir: stateDir, cwd, started_at: this.#startedAt };
    return bridgeStatus(about, {
      sessions: this.#dispatcher.sessions(),
      connections: [...this.#gateways.map(gatewayStatus), this.#hub.status],
      providers: this.#tools.list(),
      stopping: this.#isStopping,
      panic: this.#panic.view,
      own: [
        ...this.#disk.all,
        ...this.#programs.health,
        ...this.#health.own,
        ...this.#cluster.health,
        ...this.#callers.health,
        ...(this.#lost ? [this.#lost] : []),
      ],
    });
  }
}
