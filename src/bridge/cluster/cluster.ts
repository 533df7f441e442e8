// This bridge as one of several. Loaded when the configuration names a cluster.
import { randomUUID } from 'node:crypto';
import { freemem } from 'node:os';
import type { Duplex } from 'node:stream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../base/log.ts';
import { type Clock, pause } from '../../base/time/clock.ts';
import type { ClusterView, ServerRow } from '../../domain/views/cluster.ts';
import type { ErasedOnServers } from '../../domain/views/control.ts';
import { nodeDoubt } from '../../domain/views/words/node-doubt.ts';
import type { ClusterSettings } from '../../protocol/cluster/cluster.ts';
import type { Health, JournalRow } from '../../protocol/events/events.ts';
import type { CopyPort } from '../app/ports.ts';
import { Bucket } from './bucket.ts';
import { clusterHealth } from './cluster-words.ts';
import { ConversationFiles, type ConversationFilesOptions } from './files/conversation-files.ts';
import { Homes } from './homes.ts';
import { Members } from './members.ts';
import { Arrivals } from './move/arrivals.ts';
import { Leftovers, type LeftoversOptions } from './move/leftovers.ts';
import { type MovePort, Moves } from './move/moves.ts';
import type { ParcelPort } from './move/receive-parcel.ts';
import { inboxOf, NatsLink } from './nats-link.ts';
import { NodeDesk } from './node-desk.ts';
import { serverRows } from './servers.ts';
import { Continuity, type ContinuityPort, replicasOf } from './takeover/continuity.ts';
import type { ErasureStore } from './takeover/eraser.ts';
import type { TunnelHello } from './tunnel/hello.ts';
import { Lines } from './tunnel/lines.ts';
import { Whereabouts } from './whereabouts.ts';

/** For servers to come back, and for other nodes to come back to them, ms: then nobody notices that they were away. */
const graceMs = 3_000;
/** How often is looked for that meanwhile, ms. */
const lookMs = 100;
/** For the others to be told that this node stops, ms. */
const lastWordsMs = 1_000;
/** Codes of questions that a record of this node names. */
const mostAsking = 200;
/** Claims that are under way at once. */
const claimsAtOnce = 16;

export interface ClusterOptions {
  settings: ClusterSettings;
  /** Of synthesis. */
  release: string;
  startedAt: string;
  /** Keys of all conversations that are here. */
  keys(): readonly string[];
  has(key: string): boolean;
  /** How many of them have a Claude Code. */
  live(): number;
  /** Codes of questions that wait here, oldest first. */
  asking(): readonly string[];
  pinOf(key: string): string | undefined;
  /** Connections of other nodes. Whoever is on them is trusted as this machine's own user is. */
  accept: Record<'http' | 'control', (connection: Duplex, hello: TunnelHello) => void>;
  /** The conversations of this machine, as they go and come. */
  moves: MovePort &
    Pick<ParcelPort, 'transcriptFor' | 'expect' | 'arrive'> &
    Pick<LeftoversOptions, 'forget'>;
  /** Files that go along with them. */
  files: Omit<ConversationFilesOptions, 'log'>;
  /** Those that another node may take over. */
  takeover: ContinuityPort;
  /** Of these, what was removed and is still to be erased on the servers. */
  erasures: ErasureStore;
  clock: Clock;
  log: Log;
}

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #link: NatsLink;
  readonly #members: Members;
  readonly #homes: Homes;
  readonly #moves: Moves;
  readonly #leftovers: Leftovers;
  readonly #continuity: Continuity;
  readonly #files: ConversationFiles;
  readonly #arrivals: Arrivals;
  /** For operators. */
  readonly desk: NodeDesk;
  /** For whoever brings a message. */
  readonly whereabouts: Whereabouts;
  #joined: { bucket: Bucket; connection: NatsConnection } | undefined;
  readonly #lines: Lines;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { settings, clock, log, release, startedAt, takeover } = options;
    const { node } = settings;
    const instance = randomUUID();
    this.#link = new NatsLink({ settings, clock, log, up: (connection) => this.#up(connection) });
    this.#members = new Members({
      node,
      instance,
      leaseMs: settings.leaseSeconds * 1000,
      now: () => this.#continuity.now,
      wrote: (since) => this.#continuity.wrote(since),
      about: () => ({
        release,
        started_at: startedAt,
        sessions: options.keys().length,
        live: options.live(),
        free_mb: Math.round(freemem() / 1024 ** 2),
        draining: this.desk.isDraining,
        asking: options.asking().slice(-mostAsking),
      }),
      bucket: () => this.#bucket,
      // Whoever has the name now answers to it, and has what is claimed in it.
      taken: () => void this.#lines.close(),
      looked: () => {
        void this.#moves.settle();
        if (this.#bucket) void this.#leftovers.look(this.#bucket);
        this.#continuity.looked();
      },
      clock,
      log,
    });
    this.#lines = new Lines({
      name: settings.name,
      node,
      inboxPrefix: inboxOf(node),
      ready: async () => {
        await this.#ready();
        return this.#link.connection !== undefined;
      },
      isEarly: (other) => this.#link.age < graceMs && this.#members.isAlive(other),
      againMs: lookMs,
      accept: (tunnel, hello) => {
        if (hello.service === 'move') void this.#arrivals.receive(tunnel);
        else options.accept[hello.service](tunnel, hello);
      },
      clock,
      log,
    });
    this.#homes = new Homes({
      node,
      bucket: () => (this.#members.isTaken ? undefined : this.#bucket),
      pinOf: (key) => options.pinOf(key) ?? (this.desk.isDraining ? this.desk.roomiest() : undefined),
      has: options.has,
      clock,
    });
    this.#files = new ConversationFiles({ ...options.files, log });
    this.#continuity = new Continuity({
      settings,
      instance,
      port: {
        ...takeover,
        keys: options.keys,
        has: options.has,
        gone: options.moves.gone,
        arrive: (key, from, state) => this.#arrivals.write(key, () => takeover.arrive(key, from, state)),
      },
      homes: this.#homes,
      erasures: options.erasures,
      transcript: options.moves.transcript,
      files: this.#files,
      connection: () => (this.#bucket && !this.#members.isTaken ? this.#joined?.connection : undefined),
      gone: () => this.#members.gone,
      isDraining: () => this.desk.isDraining,
      clock,
      log,
    });
    this.#leftovers = new Leftovers({ node, forget: options.moves.forget, log });
    this.#arrivals = new Arrivals({
      node,
      port: options.moves,
      files: this.#files,
      isDraining: () => this.desk.isDraining,
      left: async () => this.#bucket && (await this.#leftovers.look(this.#bucket)),
      look: (session) => this.#moves.look(session),
    });
    this.#moves = new Moves({
      node,
      homes: this.#homes,
      port: {
        ...options.moves,
        get onTheWay() {
          return options.moves.onTheWay.filter(({ as }) => as !== 'held');
        },
        house: (key) => this.#continuity.house(key),
        gone: (key) => this.#continuity.gone(key),
      },
      files: this.#files,
      dial: (to) => this.#lines.dial(to, { service: 'move' }),
      log,
    });
    this.whereabouts = new Whereabouts({
      has: options.has,
      homes: this.#homes,
      settled: async (key) => {
        await this.#moves.settled(key);
        if (takeover.isOn && !options.has(key)) await this.#ready();
        return await this.#continuity.settled(key);
      },
      isTakenOver: takeover.wants,
      members: this.#members,
      ready: () => this.#ready(),
      dial: (to) => this.#lines.dial(to, { service: 'http' }),
      log,
    });
    this.desk = new NodeDesk({
      node,
      keys: options.keys,
      pinOf: options.pinOf,
      members: this.#members,
      homes: this.#homes,
      erase: (key) => this.#continuity.erase(key),
      moves: this.#moves,
      doubt: () => nodeDoubt(this.view()),
      dial: (to, may) => this.#lines.dial(to, { service: 'control', may }),
    });
  }

  start(): void {
    this.#link.start();
  }

  async close(): Promise<void> {
    const { clock } = this.#options;
    await this.#lines.close();
    const said = Promise.all([this.#members.close(), this.#continuity.close()]);
    await Promise.race([said, pause(clock, lastWordsMs)]);
    await this.#link.close();
  }

  get #reason(): string | undefined {
    const { state } = this.#link;
    return this.#members.reason ?? ('reason' in state ? state.reason : undefined);
  }

  get #bucket(): Bucket | undefined {
    return this.#joined?.connection === this.#link.connection ? this.#joined?.bucket : undefined;
  }

  /** What else keeps some of the conversations of this machine. */
  get copies(): CopyPort {
    return this.#continuity.copies;
  }

  /** For how long a Claude Code may run without another word, ms; undefined: as long as it likes, or as it was told. */
  leaseOf(key: string): number | undefined {
    return this.#continuity.leaseOf(key);
  }

  /** Files of a conversation that do not go along with it, each in words. */
  staysOf(key: string): Promise<string[]> {
    return this.#files.stays(key);
  }

  /** Before what a bridge has left goes on: another node may have some of it by now. */
  hold(): void {
    this.#continuity.hold();
  }

  /** Waits for servers that were lost, or not reached yet, a moment ago. */
  async #ready(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#bucket && this.#link.age < graceMs) await pause(clock, lookMs);
  }

  view(): ClusterView {
    const { name, node } = this.#options.settings;
    const { state } = this.#link;
    return {
      name,
      node,
      state: state.name,
      server: state.name === 'connected' ? state.server : null,
      reason: this.#reason ?? null,
      takeover: this.#continuity.view,
      nodes: this.#members.rows(),
    };
  }

  /** Which of the servers have all that this node keeps there; null when they do not say. */
  async servers(): Promise<ServerRow[] | null> {
    const joined = this.#bucket && this.#joined;
    if (!joined) return null;
    const { clock, log, settings, takeover } = this.#options;
    const streams = [`KV_${settings.name}`, ...(takeover.isOn ? [`COPY_${settings.name}`] : [])];
    try {
      return await serverRows(joined.connection, streams, clock);
    } catch (error) {
      log.debug('the servers do not say which of them have all of it', { error });
      return null;
    }
  }

  /**
   * Waits a moment for a conversation that was removed to be erased on the servers.
   * @returns undefined where they keep nothing of such a one
   */
  async erased(key: string): Promise<ErasedOnServers | undefined> {
    const { takeover, clock } = this.#options;
    if (!takeover.wants(key)) return undefined;
    const isErased = await Promise.race([
      this.#continuity.erased(key),
      pause(clock, graceMs).then(() => false),
    ]);
    const rows = isErased ? ((await this.servers()) ?? []) : [];
    const servers_behind = rows.filter(({ current }) => !current).map(({ server }) => server);
    return { servers: isErased ? 'erased' : 'pending', servers_behind };
  }

  /** What is wrong with it. */
  get health(): Health[] {
    const { isTaken } = this.#members;
    return clusterHealth({
      link: this.#link.state.name,
      reason: this.#reason,
      isTaken,
      strays: this.whereabouts.strays,
      isFull: this.#continuity.isFull,
      refused: this.#continuity.refused,
      unerased: this.#continuity.unerased,
    });
  }

  /** Whether a question of another node has this code. */
  asks(code: string): boolean {
    return this.#members.asks(code);
  }

  /** A conversation that is begun or removed here. */
  observe(row: JournalRow): void {
    const { session, event } = row;
    // What comes from another node has its home already.
    if (this.#arrivals.has(session)) return;
    const { log } = this.#options;
    this.#continuity.observe(row);
    if (event.type === 'session.opened' && !this.#options.takeover.wants(session))
      this.whereabouts
        .claim(session)
        .catch((error: unknown) => log.debug('a home is not claimed yet', { error }));
    if (event.type === 'session.removed') {
      const { forget = false } = event;
      this.whereabouts.strays.delete(session);
      this.#continuity
        .removed(session, forget, () => this.#homes.release(session, forget))
        .catch((error: unknown) => log.warn('a home was not given up', { error }));
    }
  }

  async #up(connection: NatsConnection): Promise<void> {
    const { settings } = this.#options;
    if (!this.#members.isTaken) await this.#lines.open(connection);
    this.#joined = { bucket: await Bucket.open(connection, settings.name, replicasOf(settings)), connection };
    await this.#continuity.join(connection);
    await this.#members.join();
    await this.#moves.settle();
    if (this.#members.isTaken) return;
    await this.#claimAll();
    await this.#continuity.forgetUnwanted();
  }

  /** Also what was claimed before: the servers may have lost it. @throws when they do not answer */
  async #claimAll(): Promise<void> {
    const { keys: all, takeover } = this.#options;
    const keys = all().filter((key) => !takeover.wants(key));
    const work = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await this.whereabouts.claim(key);
    };
    await Promise.all(Array.from({ length: claimsAtOnce }, work));
  }
}
