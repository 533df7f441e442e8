// This bridge as one of several. Loaded when the configuration names a cluster.
import { randomUUID } from 'node:crypto';
import { freemem } from 'node:os';
import type { Duplex } from 'node:stream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Session } from '../../domain/state/session.ts';
import type { ClusterView } from '../../domain/views/cluster.ts';
import type { ClusterSettings } from '../../protocol/cluster.ts';
import type { Health, JournalRow } from '../../protocol/events.ts';
import type { CopyPort } from '../app/ports.ts';
import { Bucket } from './bucket.ts';
import { clusterHealth } from './cluster-words.ts';
import { Copies } from './copies/copies.ts';
import { CopyStore } from './copies/copy-store.ts';
import { Homes } from './homes.ts';
import { Members } from './members.ts';
import { Leftovers, type LeftoversOptions } from './move/leftovers.ts';
import { type MovePort, Moves } from './move/moves.ts';
import { type ParcelPort, receiveParcel } from './move/receive-parcel.ts';
import { inboxOf, NatsLink } from './nats-link.ts';
import { NodeDesk } from './node-desk.ts';
import { Custody, type CustodyPort } from './takeover/custody.ts';
import { Lease } from './takeover/lease.ts';
import { Takeover, type TakeoverPort } from './takeover/takeover.ts';
import { TunnelEndpoint } from './tunnel/endpoint.ts';
import type { TunnelHello } from './tunnel/hello.ts';
import { TunnelError } from './tunnel/tunnel-error.ts';
import { Whereabouts } from './whereabouts.ts';

/** For another node to take a connection, ms. */
const dialMs = 3_000;
/** For servers to come back, and for other nodes to come back to them, ms: then nobody notices that they were away. */
const graceMs = 3_000;
/** How often is looked for that meanwhile, ms. */
const lookMs = 100;
/** For the others to be told that this node stops, ms. */
const lastWordsMs = 1_000;
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
  pinOf(key: string): string | undefined;
  /** Connections of other nodes. Whoever is on them is trusted as this machine's own user is. */
  accept: Record<'http' | 'control', (connection: Duplex) => void>;
  /** The conversations of this machine, as they go and come. */
  moves: MovePort &
    Pick<ParcelPort, 'transcriptFor' | 'expect' | 'arrive'> &
    Pick<LeftoversOptions, 'forget'>;
  /** Those that another node may take over. */
  takeover: Pick<CustodyPort, 'wants' | 'isHeld' | 'hold' | 'lease'> &
    Pick<TakeoverPort, 'refusal' | 'transcriptFor' | 'arrive'> & {
      house(key: string, held: boolean): Promise<void>;
      session(key: string): Session | undefined;
      /** Seq of the newest row of the journal. */
      seq(): number;
      /** Whether there can be any. */
      isOn: boolean;
    };
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
  readonly #copies: Copies;
  readonly #custody: Custody;
  readonly #lease: Lease;
  readonly #takeover: Takeover;
  /** Conversations whose rows are just being written, as they come from another node. */
  readonly #arriving = new Set<string>();
  /** For operators. */
  readonly desk: NodeDesk;
  /** For whoever brings a message. */
  readonly whereabouts: Whereabouts;
  #joined: { bucket: Bucket; copies: CopyStore | undefined; connection: NatsConnection } | undefined;
  #tunnels: { endpoint: TunnelEndpoint; connection: NatsConnection } | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { settings, clock, log, release, startedAt, takeover } = options;
    const { node } = settings;
    const instance = randomUUID();
    const leaseMs = settings.leaseSeconds * 1000;
    this.#link = new NatsLink({ settings, clock, log, up: (connection) => this.#up(connection) });
    this.#members = new Members({
      node,
      instance,
      leaseMs,
      now: () => this.#lease.now,
      wrote: (since) => {
        if (takeover.isOn) this.#lease.renew(since);
      },
      about: () => ({
        release,
        started_at: startedAt,
        sessions: options.keys().length,
        live: options.live(),
        free_mb: Math.round(freemem() / 1024 ** 2),
        draining: this.desk.isDraining,
      }),
      bucket: () => this.#bucket,
      // Whoever has the name now answers to it, and has what is claimed in it.
      taken: () => void this.#tunnels?.endpoint.close(),
      looked: () => {
        void this.#moves.settle();
        if (this.#bucket) void this.#leftovers.look(this.#bucket);
        if (takeover.isOn && !this.#members.isTaken) void this.#takeover.look();
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
    const store = () => (this.#members.isTaken ? undefined : this.#store);
    this.#copies = new Copies({
      node,
      instance,
      store,
      own: (key) => this.#homes.own(key, true),
      session: takeover.session,
      seq: takeover.seq,
      transcript: options.moves.transcript,
      lost: (key) => void this.#custody.lost(key),
      clock,
      log,
    });
    this.#custody = new Custody({
      node,
      copies: this.#copies,
      homes: this.#homes,
      seq: takeover.seq,
      port: {
        ...takeover,
        keys: options.keys,
        gone: (key) => options.moves.gone(key),
      },
      log,
    });
    this.#lease = new Lease({
      leaseMs,
      ended: () => this.#custody.holdAll(true),
      renewed: (ms) => this.#custody.renewed(ms),
      clock,
    });
    this.#takeover = new Takeover({
      node,
      homes: this.#homes,
      store,
      gone: () => this.#members.gone,
      port: {
        refusal: (key) => (this.desk.isDraining ? 'this node is drained' : takeover.refusal(key)),
        has: options.has,
        transcriptFor: takeover.transcriptFor,
        arrive: (key, from, state) => this.#arrive(key, () => takeover.arrive(key, from, state)),
        house: (key) => this.#custody.house(key),
      },
      log,
    });
    this.#leftovers = new Leftovers({ node, forget: options.moves.forget, log });
    this.#moves = new Moves({
      node,
      homes: this.#homes,
      port: {
        ...options.moves,
        get onTheWay() {
          return options.moves.onTheWay.filter(({ as }) => as !== 'held');
        },
        house: (key) => this.#custody.house(key),
        gone: (key) => this.#custody.gone(key),
      },
      dial: (to) => this.#dial(to, 'move'),
      log,
    });
    this.whereabouts = new Whereabouts({
      has: options.has,
      homes: this.#homes,
      settled: (key) => this.#settled(key),
      isTakenOver: takeover.wants,
      members: this.#members,
      ready: () => this.#ready(),
      dial: (to) => this.#dial(to, 'http'),
      log,
    });
    this.desk = new NodeDesk({
      node,
      keys: options.keys,
      pinOf: options.pinOf,
      members: this.#members,
      homes: this.#homes,
      moves: this.#moves,
      dial: (to) => this.#dial(to, 'control'),
    });
  }

  start(): void {
    this.#link.start();
  }

  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#lease.close();
    await this.#tunnels?.endpoint.close();
    const late = new Promise<void>((resolve) => void clock.after(lastWordsMs, resolve));
    await Promise.race([this.#members.close(), late]);
    this.#copies.close();
    await this.#link.close();
  }

  get #reason(): string | undefined {
    const { state } = this.#link;
    return this.#members.reason ?? ('reason' in state ? state.reason : undefined);
  }

  get #bucket(): Bucket | undefined {
    return this.#joined?.connection === this.#link.connection ? this.#joined?.bucket : undefined;
  }

  get #store(): CopyStore | undefined {
    return this.#joined?.connection === this.#link.connection ? this.#joined?.copies : undefined;
  }

  /** What else keeps the conversations of this machine. */
  get copies(): CopyPort {
    return this.#copies;
  }

  /** For how long a Claude Code may run without another word, ms; undefined for as long as it likes. */
  leaseOf(key: string): number | undefined {
    return this.#options.takeover.wants(key) ? this.#lease.left : undefined;
  }

  /** Before what a bridge has left goes on: another node may have it by now. */
  hold(): void {
    this.#custody.holdAll(false);
  }

  /**
   * Resolves when it is clear where a conversation lives that is on its way, or may have been taken over.
   * @returns false when that is not clear yet, and nothing may begin here under its name
   */
  async #settled(key: string): Promise<boolean> {
    const { clock, takeover } = this.#options;
    await this.#moves.settled(key);
    const end = clock.now() + graceMs;
    while (takeover.isHeld(key) && clock.now() < end) await this.#pause();
    return await this.#takeover.settled(key);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(lookMs, resolve));
  }

  /** Waits for servers that were lost, or not reached yet, a moment ago. */
  async #ready(): Promise<void> {
    while (!this.#bucket && this.#link.age < graceMs) await this.#pause();
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
      nodes: this.#members.rows(),
    };
  }

  /** What is wrong with it. */
  get health(): Health[] {
    const { isTaken } = this.#members;
    return clusterHealth({
      link: this.#link.state.name,
      reason: this.#reason,
      isTaken,
      strays: this.whereabouts.strays,
      isFull: this.#copies.isAnyFull,
    });
  }

  /** A conversation that is begun or removed here. */
  observe(row: JournalRow): void {
    const { session, event } = row;
    // What comes from another node has its home already.
    if (this.#arriving.has(session)) return;
    const { log } = this.#options;
    this.#custody.observe(row);
    if (event.type === 'session.opened' && !this.#options.takeover.wants(session))
      this.whereabouts
        .claim(session)
        .catch((error: unknown) => log.debug('a home is not claimed yet', { error }));
    if (event.type === 'session.removed') {
      this.whereabouts.strays.delete(session);
      this.#copies
        .end(session)
        .then(() => this.#homes.release(session, event.forget ?? false))
        .catch((error: unknown) => log.warn('a home was not given up', { error }));
    }
  }

  /** @throws TunnelError when it cannot be reached */
  async #dial(node: string, service: TunnelHello['service']): Promise<Duplex> {
    await this.#ready();
    if (!this.#tunnels || !this.#link.connection)
      throw new TunnelError('closed', 'The nats-servers cannot be reached.');
    const hello = { service, from: this.#options.settings.node };
    const { endpoint } = this.#tunnels;
    for (;;)
      try {
        return await endpoint.dial(this.#subject(node), hello, dialMs);
      } catch (error) {
        // Both have lost the same server, and the other is not back yet.
        const isEarly = this.#link.age < graceMs && this.#members.isAlive(node);
        if (!isEarly || !(error instanceof TunnelError) || error.code !== 'no_listener') throw error;
        await this.#pause();
      }
  }

  async #up(connection: NatsConnection): Promise<void> {
    const { settings, clock, log, accept, takeover } = this.#options;
    const { name, servers, node, replicas = servers.length >= 3 ? 3 : 1 } = settings;
    if (this.#tunnels?.connection !== connection && !this.#members.isTaken) {
      await this.#tunnels?.endpoint.close();
      const endpoint = new TunnelEndpoint({ connection, clock, log, inboxPrefix: inboxOf(node) });
      endpoint.listen(this.#subject(node), (tunnel, { service }) => {
        if (service === 'move') void this.#receive(tunnel);
        else accept[service](tunnel);
      });
      this.#tunnels = { endpoint, connection };
    }
    const bucket = await Bucket.open(connection, name, replicas);
    const maxBytes = settings.storeMb * 1024 ** 2;
    const copies = takeover.isOn ? await CopyStore.open(connection, name, { replicas, maxBytes }) : undefined;
    this.#joined = { bucket, copies, connection };
    await this.#members.join();
    await this.#moves.settle();
    if (!this.#members.isTaken) await this.#claimAll();
  }

  async #receive(tunnel: Duplex): Promise<void> {
    const { moves } = this.#options;
    await receiveParcel(tunnel, {
      transcriptFor: moves.transcriptFor,
      expect: (session, from) => {
        if (this.desk.isDraining)
          throw new Error(`${this.#options.settings.node} gives its own conversations away`);
        moves.expect(session, from);
      },
      arrive: async (head) => {
        // An order to forget an earlier one of its name must not come upon this one.
        const left = this.#bucket && (await this.#leftovers.look(this.#bucket));
        if (left?.has(head.session) !== false)
          throw new Error('an earlier conversation of its name is still to be forgotten there');
        await this.#arrive(head.session, () => moves.arrive(head));
      },
      look: (session) => this.#moves.look(session),
    });
  }

  /** Its rows are written as they come from elsewhere. */
  async #arrive(key: string, write: () => Promise<void>): Promise<void> {
    this.#arriving.add(key);
    try {
      await write();
    } finally {
      this.#arriving.delete(key);
    }
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

  #subject(node: string): string {
    return `${this.#options.settings.name}.node.${node}.dial`;
  }
}
