// This bridge as one of several. Loaded when the configuration names a cluster.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { freemem } from 'node:os';
import { Duplex } from 'node:stream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ClusterView, Drained, NodeRow } from '../../domain/views/cluster.ts';
import type { ClusterSettings } from '../../protocol/cluster.ts';
import type { Health, JournalRow } from '../../protocol/events.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import { Bucket } from './bucket.ts';
import { strayWords, unreachable, unreachedText } from './cluster-words.ts';
import { type Home, Homes } from './homes.ts';
import { Members } from './members.ts';
import { drainAll } from './move/drain-all.ts';
import { Leftovers, type LeftoversOptions } from './move/leftovers.ts';
import { type MovePort, Moves } from './move/moves.ts';
import { type ParcelPort, receiveParcel } from './move/receive-parcel.ts';
import { inboxOf, NatsLink } from './nats-link.ts';
import { relay } from './relay.ts';
import { TunnelEndpoint } from './tunnel/endpoint.ts';
import type { TunnelHello } from './tunnel/hello.ts';
import { TunnelError } from './tunnel/tunnel-error.ts';

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
/** A node that was asked may know better; then it is asked where the conversation lives, once more. */
const tries = 3;

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
  clock: Clock;
  log: Log;
}

/** See `Elsewhere` of the OpenAI ingress. */
export type Sent =
  | { kind: 'here' | 'answered' | 'not_here' }
  /** For whoever wrote the message; nothing of it was taken. */
  | { kind: 'words'; text: string };

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #link: NatsLink;
  readonly #members: Members;
  readonly #homes: Homes;
  readonly #moves: Moves;
  readonly #leftovers: Leftovers;
  /** Conversations whose rows are just being written, as they come from another node. */
  readonly #arriving = new Set<string>();
  #isDraining = false;
  /** Conversations that are here and live on another node. */
  readonly #strays = new Map<string, string>();
  #joined: { bucket: Bucket; connection: NatsConnection } | undefined;
  #tunnels: { endpoint: TunnelEndpoint; connection: NatsConnection } | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { settings, clock, log, release, startedAt } = options;
    const { node } = settings;
    this.#link = new NatsLink({ settings, clock, log, up: (connection) => this.#up(connection) });
    this.#members = new Members({
      node,
      instance: randomUUID(),
      about: () => ({
        release,
        started_at: startedAt,
        sessions: options.keys().length,
        live: options.live(),
        free_mb: Math.round(freemem() / 1024 ** 2),
        draining: this.#isDraining,
      }),
      bucket: () => this.#bucket,
      // Whoever has the name now answers to it, and has what is claimed in it.
      taken: () => void this.#tunnels?.endpoint.close(),
      looked: () => {
        void this.#moves.settle();
        if (this.#bucket) void this.#leftovers.look(this.#bucket);
      },
      clock,
      log,
    });
    this.#homes = new Homes({
      node,
      bucket: () => (this.#members.isTaken ? undefined : this.#bucket),
      pinOf: (key) => options.pinOf(key) ?? (this.#isDraining ? this.#roomiest() : undefined),
      has: options.has,
      clock,
    });
    this.#leftovers = new Leftovers({ node, forget: options.moves.forget, log });
    this.#moves = new Moves({
      node,
      homes: this.#homes,
      port: options.moves,
      dial: (to) => this.#dial(to, 'move'),
      log,
    });
  }

  start(): void {
    this.#link.start();
  }

  async close(): Promise<void> {
    const { clock } = this.#options;
    await this.#tunnels?.endpoint.close();
    const late = new Promise<void>((resolve) => void clock.after(lastWordsMs, resolve));
    await Promise.race([this.#members.close(), late]);
    await this.#link.close();
  }

  /** For whoever writes a message: what is wrong with servers in detail is for operators. */
  get #unknownWords(): string {
    return (this.#members.isTaken && this.#members.reason) || unreachable;
  }

  get #reason(): string | undefined {
    const { state } = this.#link;
    return this.#members.reason ?? ('reason' in state ? state.reason : undefined);
  }

  get #bucket(): Bucket | undefined {
    return this.#joined?.connection === this.#link.connection ? this.#joined?.bucket : undefined;
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
    const { state } = this.#link;
    const reason = this.#reason;
    return [
      ...(state.name === 'connected'
        ? []
        : [
            {
              code: 'cluster_unreachable',
              words: `The nats-servers cannot be reached: ${(reason ?? 'none has answered yet').replace(/\.$/, '')}. What lives here goes on; new conversations and those of other nodes are refused.`,
            },
          ]),
      ...(state.name !== 'connected' || reason === undefined
        ? []
        : [{ code: this.#members.isTaken ? 'cluster_name_taken' : 'cluster_failing', words: reason }]),
      ...(this.#strays.size === 0
        ? []
        : [{ code: 'conversation_elsewhere', words: strayWords(this.#strays) }]),
    ];
  }

  /** A conversation that is begun or removed here. */
  observe({ session, event }: Pick<JournalRow, 'session' | 'event'>): void {
    // What comes from another node, or went there, has its home already.
    if (this.#arriving.has(session) || this.#moves.isUnder(session)) return;
    const { log } = this.#options;
    if (event.type === 'session.opened')
      this.#claim(session).catch((error: unknown) => log.debug('a home is not claimed yet', { error }));
    if (event.type === 'session.removed') {
      this.#strays.delete(session);
      this.#homes
        .release(session, event.forget ?? false)
        .catch((error: unknown) => log.warn('a home was not given up', { error }));
    }
  }

  /**
   * Has a request answered where its conversation lives. A new one begins here, unless it is to live elsewhere.
   * @param relayed another node asks: it goes no further
   */
  async send(
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    { key, body, relayed }: { key: string; body: string; relayed: boolean },
  ): Promise<Sent> {
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      await this.#moves.settled(key);
      const home = await this.#home(key, relayed);
      if (home.kind === 'here') return { kind: 'here' };
      if (relayed) return { kind: 'not_here' };
      if (home.kind === 'unknown') break;
      const far = await this.#dial(home.node, 'http').catch((error: unknown) => error);
      if (!(far instanceof Duplex)) {
        this.#options.log.warn('another node could not be reached', { node: home.node, error: far });
        // It may have been forgotten since.
        this.#homes.forget(key);
        return { kind: 'words', text: unreachedText(home.node, far) };
      }
      if (home.wanted && !(await this.#isSettled(key, home.node))) far.destroy();
      else if ((await relay(request, body, response, far)) === 'answered') return { kind: 'answered' };
      this.#homes.forget(key);
    }
    return { kind: 'words', text: this.#unknownWords };
  }

  /** For an operator of this machine. @throws OperatorError `no_such_node` or `node_away` */
  async dial(node: string): Promise<Duplex> {
    this.#known(node);
    try {
      return await this.#dial(node, 'control');
    } catch (error) {
      throw new OperatorError(
        'node_away',
        `Node "${node}" does not answer: ${error instanceof Error ? error.message : String(error)}`,
        'What lives there is not lost. `synthesis cluster status` shows which nodes are there.',
      );
    }
  }

  /**
   * Before a conversation gets a message of an operator here.
   * @throws OperatorError `elsewhere` when it lives on another node, or when that cannot be found out
   */
  async mayTake(key: string): Promise<void> {
    const home = await this.#home(key, false);
    if (home.kind === 'here') return;
    if (home.kind === 'unknown')
      throw new OperatorError(
        'elsewhere',
        this.#unknownWords,
        '`synthesis cluster status` shows what is wrong.',
      );
    throw new OperatorError(
      'elsewhere',
      `The conversation "${key}" lives on node ${home.node}. Nothing was sent.`,
      `Say \`--node ${home.node}\` to reach it.`,
    );
  }

  /**
   * Brings a conversation to another node, as soon as it is idle.
   * @param ms for what runs in it to end
   * @throws OperatorError in words; then it stays here
   */
  async move(key: string, to: string, ms: number, signal: AbortSignal): Promise<void> {
    const { node } = this.#options.settings;
    const row = this.#known(to);
    if (to === node)
      throw new OperatorError('bad_request', `"${key}" lives on ${node} already.`, 'Name another node.');
    if (row.state === 'draining')
      throw new OperatorError(
        'node_away',
        `Node "${to}" gives its own conversations away.`,
        'Name another node.',
      );
    await this.#moves.move(key, to, ms, signal);
  }

  /**
   * Brings every conversation to other nodes, and begins none here until the bridge is started again. Those that are to
   * live here stay.
   * @param ms for what runs in each to end
   */
  async drain(ms: number, signal: AbortSignal): Promise<Drained> {
    const { keys, pinOf, settings } = this.#options;
    this.#isDraining = true;
    await this.#members.join();
    return await drainAll(keys(), {
      targetOf: (key) => {
        const pin = pinOf(key);
        if (pin === settings.node) return { stays: 'the configuration wants it here' };
        const to = pin ?? this.#roomiest();
        return to === undefined ? { stays: 'no other node is there' } : { to };
      },
      move: (key, to) => this.move(key, to, ms, signal),
    });
  }

  /**
   * Gives up a node that is gone for good. If it comes back, it has what has not begun anew elsewhere.
   * @returns how many conversations lived there
   * @throws OperatorError `no_such_node`, `node_alive`, or `node_away` when the servers do not answer
   */
  async forget(node: string): Promise<number> {
    const { state } = this.#known(node);
    if (state !== 'away' && state !== 'stopped')
      throw new OperatorError(
        'node_alive',
        `Node "${node}" is there. Nothing was changed.`,
        'Bring its conversations away with `synthesis cluster drain`, and stop its bridge first.',
      );
    try {
      // Last: as long as it is listed, this can be done again.
      const count = await this.#homes.giveUp(node);
      await this.#members.forget(node);
      return count;
    } catch (error) {
      throw new OperatorError(
        'node_away',
        `The nats-servers did not do all of it: ${error instanceof Error ? error.message : String(error)}.`,
        'Run the same command again once they are there.',
      );
    }
  }

  /** The other node with the most free memory that takes conversations. */
  #roomiest(): string | undefined {
    const alive = this.#members.rows().filter(({ state }) => state === 'alive');
    return alive.sort((a, b) => b.free_mb - a.free_mb)[0]?.node;
  }

  /** @throws OperatorError `no_such_node` */
  #known(node: string): NodeRow {
    const rows = this.#members.rows();
    const row = rows.find((each) => each.node === node);
    if (row) return row;
    throw new OperatorError(
      'no_such_node',
      `There is no node "${node}" in the cluster.`,
      `These are known: ${rows.map((each) => each.node).join(', ')}. \`synthesis cluster status\` shows them.`,
    );
  }

  /** What is here asks nobody whether it can be asked. */
  async #home(key: string, relayed: boolean): Promise<Home> {
    if (!this.#options.has(key)) await this.#ready();
    return this.#marked(key, await this.#homes.of(key, relayed));
  }

  /** Where a conversation that is here, too, is another one than the one that gets messages. */
  #marked(key: string, home: Home): Home {
    if (home.kind === 'there' && this.#options.has(key)) this.#strays.set(key, home.node);
    else this.#strays.delete(key);
    return home;
  }

  async #isSettled(key: string, node: string): Promise<boolean> {
    const home = await this.#homes.settle(key, node).catch(() => undefined);
    return home?.kind === 'there' && home.node === node;
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
    const { settings, clock, log, accept } = this.#options;
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
    this.#joined = { bucket: await Bucket.open(connection, name, replicas), connection };
    await this.#members.join();
    await this.#moves.settle();
    if (!this.#members.isTaken) await this.#claimAll();
  }

  async #receive(tunnel: Duplex): Promise<void> {
    const { moves } = this.#options;
    await receiveParcel(tunnel, {
      transcriptFor: moves.transcriptFor,
      expect: (session, from) => {
        if (this.#isDraining)
          throw new Error(`${this.#options.settings.node} gives its own conversations away`);
        moves.expect(session, from);
      },
      arrive: async (head) => {
        this.#arriving.add(head.session);
        try {
          await moves.arrive(head);
        } finally {
          this.#arriving.delete(head.session);
        }
      },
      look: (session) => this.#moves.look(session),
    });
  }

  /** Also what was claimed before: the servers may have lost it. @throws when they do not answer */
  async #claimAll(): Promise<void> {
    const keys = [...this.#options.keys()];
    const work = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await this.#claim(key);
    };
    await Promise.all(Array.from({ length: claimsAtOnce }, work));
  }

  async #claim(key: string): Promise<void> {
    this.#marked(key, await this.#homes.claim(key));
  }

  #subject(node: string): string {
    return `${this.#options.settings.name}.node.${node}.dial`;
  }
}
