// What the bridge's one port serves: /v1 for hubs, /bridge for the channel servers of Claude Code, /healthz and, where the
// operator wants it, /metrics for monitors; / for whoever looks what this is.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../../base/log.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { BridgeStatus } from '../../../domain/views/control.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import { MAX_FRAME_BYTES } from '../../../protocol/wire/wire.ts';
import type { VerdictDesk } from '../../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import { Hangups, type HubPort } from '../../app/hangups.ts';
import type { Masks } from '../../app/masking.ts';
import type { MessageGate } from '../../app/message-gate.ts';
import type { Readers } from '../../app/reader/reader.ts';
import type { ClaudeAgent } from '../../claude/claude-agent.ts';
import { createHttpServer, type HttpServer } from '../../http/http-server.ts';
import { type Answer, ok } from '../../http/routes.ts';
import type { Elsewhere } from '../../ingress/openai/elsewhere.ts';
import { Intake } from '../../ingress/openai/intake.ts';
import { refusalOf, thrownFault } from '../../ingress/openai/refusals.ts';
import { openAiRoutes } from '../../ingress/openai/route.ts';
import { StoredResponses } from '../../ingress/openai/stored/stored-responses.ts';
import { checkToken, type TokenCheckOptions, type TokenPort } from '../../ingress/openai/token-check.ts';
import type { WarmRouteOptions } from '../../ingress/openai/warm-route.ts';
import { mediaStore } from '../../media-store.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { metricsType } from '../../metrics/text-format.ts';
import { approvers, launchOptions, progressMode } from '../../profiles.ts';
import { queueDesk } from '../queue-desk.ts';
import { channelDoor } from './channel-door.ts';
import { healthReport } from './health-report.ts';

export interface ServeHttpOptions {
  config: Config & { cwd: string };
  stateDir: string;
  log: Log;
  dispatcher: Dispatcher;
  readers: Readers;
  masks: Masks;
  verdicts: VerdictDesk;
  gate: MessageGate;
  /** What opens `/v1` and `/metrics`. */
  tokens: TokenPort;
  /** As in `TokenCheckOptions`. */
  refused: NonNullable<TokenCheckOptions['refused']>;
  /** Undefined until the port is known: Claude Code is told where to post. */
  agent(): ClaudeAgent | undefined;
  draining(): boolean;
  /** Whether a card of the hub asks this permission question, so that no text has to. */
  isAskedElsewhere(code: string): Promise<boolean>;
  hub: HubPort;
  warmUps: WarmRouteOptions['warmUps'];
  /** Where there are other machines. */
  elsewhere: Elsewhere | undefined;
  status(): BridgeStatus;
  metrics: Pick<Metrics, 'text'>;
}

export function serveHttp(options: ServeHttpOptions): HttpServer {
  const http = createHttpServer({
    frameBytes: MAX_FRAME_BYTES,
    refuse: refusalOf,
    failed: (error, request) => thrownFault(options.log, error, request),
    sockets: { '/bridge': channelDoor(options.agent) },
  });
  http.routes.add('GET', '/', () => whatThisIs);
  http.routes.add('GET', '/healthz', () => ok(healthReport(options.status())));
  if (options.config.metrics.http) serveMetrics(http, options);
  serveOpenAi(http, options);
  return http;
}

/** For whoever looks what answers on this port. Without a version: no road without a token tells it by default. */
const whatThisIs: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `This is synthesis: a bridge between OpenAI-compatible clients and Claude Code.
Clients: the base URL is /v1 on this port, with the bearer token of the bridge as API key.
Monitors: GET /healthz
Documentation: synthesis docs http
`,
};

function serveMetrics(http: HttpServer, { tokens, metrics, refused }: ServeHttpOptions): void {
  const { proved, isAdopted } = http;
  http.routes.add('GET', '/metrics', ({ request }) => {
    const checked = checkToken({ tokens, proved, isAdopted, refused }, request, 'metrics');
    return checked.ok ? metricsAnswer(metrics) : checked.fault;
  });
}

const metricsAnswer = async (metrics: Pick<Metrics, 'text'>): Promise<Answer> => ({
  status: 200,
  headers: { 'content-type': metricsType },
  body: await metrics.text(),
});

function serveOpenAi(http: HttpServer, options: ServeHttpOptions): void {
  const { config, dispatcher, readers, log, tokens, verdicts, gate } = options;
  const stored = new StoredResponses(dispatcher);
  const intake = new Intake({
    stored,
    heartbeat: config.openclaw.heartbeat,
    provenChannels: config.openclaw.provenChannels,
    saveMedia: mediaStore(options.stateDir),
    verdicts,
    gate,
    queue: queueDesk(config, dispatcher),
    dispatcher,
    newClaudeId: randomUUID,
    launchFor: (key) => launchOptions(config, key),
  });
  const routes = {
    clock: systemClock,
    log,
    dispatcher,
    readers,
    masks: options.masks,
    stored,
    hangups: new Hangups(dispatcher, systemClock, options.hub),
    intake,
    tokens,
    keepAliveMs: config.timeouts.keepAliveMs,
    bodyBytes: config.limits.bodyBytes,
    mostRequests: config.limits.openRequests,
    proved: http.proved,
    isAdopted: http.isAdopted,
    refused: options.refused,
    elsewhere: options.elsewhere,
    progressFor: (key: string) => progressMode(config, key),
    approversFor: (key: string) => approvers(config, key),
    draining: options.draining,
    isAskedElsewhere: options.isAskedElsewhere,
    utilityCalls: config.openclaw.utilityCalls,
    oneShots: () => options.agent()?.oneShots,
    warmUps: options.warmUps,
  };
  openAiRoutes(http.routes, routes);
}
