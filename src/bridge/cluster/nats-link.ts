// The connection to the servers, which comes and goes. Nobody waits for it without a deadline.
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  tokenAuthenticator,
} from '@nats-io/transport-node';
import { tokenSource } from '../../base/files/token-source.ts';
import type { Log } from '../../base/log.ts';
import { backoff } from '../../base/time/backoff.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { ClusterSettings } from '../../protocol/cluster/cluster.ts';
import { serverTrouble } from './server-trouble.ts';

export type LinkState =
  | { name: 'connecting'; reason?: string }
  /** `reason`: why what this node has to do with the others is not done yet. */
  | { name: 'connected'; server: string; reason?: string }
  | { name: 'lost'; reason: string };

export interface NatsLinkOptions {
  settings: ClusterSettings;
  clock: Clock;
  log: Log;
  /** Connected, for the first time or anew. It is called again when it throws. */
  up(connection: NatsConnection): Promise<void>;
}

const retry = { baseMs: 500, factor: 1.7, maxMs: 5_000, jitter: 0.2 };
/** A server that stands still is noticed after three of these, ms. */
const pingMs = 2_000;
/** For a server to answer at all, ms. */
const connectMs = 5_000;

export class NatsLink {
  readonly #options: NatsLinkOptions;
  #state: LinkState = { name: 'connecting' };
  #isConnected = false;
  #since: number;
  #connection: NatsConnection | undefined;
  #retry: Cancel | undefined;
  #closed = false;

  constructor(options: NatsLinkOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  /** How long ago it was connected, or lost, ms. */
  get age(): number {
    return this.#options.clock.now() - this.#since;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Undefined while there is no server that answers. */
  get connection(): NatsConnection | undefined {
    return this.#state.name === 'connected' ? this.#connection : undefined;
  }

  /** Tries for as long as it takes. */
  start(): void {
    void this.#dial(1);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.();
    await this.#connection?.close();
  }

  async #dial(attempt: number): Promise<void> {
    const { settings, clock, log } = this.#options;
    try {
      const connection = await connect(connectOptions(settings));
      if (this.#closed) return await connection.close();
      this.#connection = connection;
      void this.#watch(connection);
      this.#isUp(connection);
    } catch (error) {
      if (this.#closed) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (attempt === 1) log.warn('no nats-server can be reached', { reason, servers: settings.servers });
      this.#turn({ name: 'connecting', reason });
      this.#retry = clock.after(backoff(retry, attempt), () => void this.#dial(attempt + 1));
    }
  }

  #isUp(connection: NatsConnection): void {
    const { log } = this.#options;
    const server = connection.getServer();
    this.#turn({ name: 'connected', server, reason: 'The cluster is being joined.' });
    log.info('connected to a nats-server', { server });
    void this.#tell(connection);
  }

  #turn(state: LinkState): void {
    const isConnected = state.name === 'connected';
    if (isConnected !== this.#isConnected) this.#since = this.#options.clock.now();
    this.#isConnected = isConnected;
    this.#state = state;
  }

  async #tell(connection: NatsConnection): Promise<void> {
    const { log, up, clock } = this.#options;
    this.#retry?.();
    try {
      await up(connection);
      if (this.connection === connection) this.#turn({ name: 'connected', server: connection.getServer() });
    } catch (error) {
      if (this.#closed || this.connection !== connection) return;
      log.warn('the cluster could not be joined yet', { error });
      const reason = `The cluster could not be joined yet: ${serverTrouble(error)}.`;
      this.#turn({ name: 'connected', server: connection.getServer(), reason });
      this.#retry = clock.after(retry.maxMs, () => void this.#tell(connection));
    }
  }

  /** The client connects anew by itself, for ever. */
  async #watch(connection: NatsConnection): Promise<void> {
    const { log } = this.#options;
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        this.#turn({ name: 'lost', reason: `The connection to ${status.server} was lost.` });
        log.warn('the nats-server is gone', { server: status.server });
      }
      if (status.type === 'reconnect') this.#isUp(connection);
    }
    if (this.#closed) return;
    // It gave up: a server that it knew refuses it now.
    const error = await connection.closed();
    const reason = error instanceof Error ? error.message : 'The connection was ended.';
    this.#turn({ name: 'lost', reason });
    this.#retry = this.#options.clock.after(retry.baseMs, () => void this.#dial(2));
  }
}

/** What a node is told, and answered, begins so: its user is the only one that may listen there. */
export const inboxOf = (node: string): string => `_INBOX.${node}`;

function connectOptions(settings: ClusterSettings): NodeConnectionOptions {
  const { servers, node, caFile, certFile, keyFile } = settings;
  const files = { ...(caFile && { caFile }), ...(certFile && keyFile && { certFile, keyFile }) };
  const isHere = servers.every((each) => loopback.test(URL.parse(each)?.hostname ?? ''));
  return {
    servers,
    name: `synthesis ${node}`,
    // What is written there must not be read on its way.
    ...((!isHere || Object.keys(files).length > 0) && { tls: files }),
    ...authentication(settings),
    inboxPrefix: inboxOf(node),
    timeout: connectMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
  };
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Read for each attempt, so that a renewed file needs no restart. */
function authentication({ token, tokenFile, credsFile }: ClusterSettings): { authenticator?: Authenticator } {
  const file = credsFile ?? tokenFile;
  if (token === undefined && file === undefined) return {};
  const source = tokenSource(file === undefined ? { token: token ?? '' } : { tokenFile: file });
  const secret = () => {
    const read = source();
    if (!read.ok) throw new Error(`${read.words}.`);
    return read.token;
  };
  return {
    authenticator: credsFile
      ? credsAuthenticator(() => new TextEncoder().encode(secret()))
      : tokenAuthenticator(secret),
  };
}
