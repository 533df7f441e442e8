// This bridge as one of several. Loaded when the configuration names a cluster.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { freemem } from 'node:os';
import type { Duplex } from 'node:stream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ClusterView, Drained, NodeRow } from '../../domain/views/cluster.ts';
import type { ClusterSettings } from '../../protocol/cluster.ts';
import type { Health, JournalRow } from '../../protocol/events.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import { Bucket } from './bucket.ts';
import { Homes } from './homes.ts';
import { Members } from './members.ts';
import { type MovePort, Moves } from './move/moves.ts';
import { type ParcelPort, receiveParcel } from './move/receive-parcel.ts';
import { NatsLink } from './nats-link.ts';
import { relay } from './relay.ts';
import { TunnelEndpoint } from './tunnel/endpoint.ts';
import type { TunnelHello } from './tunnel/hello.ts';
import { TunnelError } from './tunnel/tunnel-error.ts';

/** For another node to take a connection, ms. */
const dialMs = 3_000;
/** Claims that are under way at once. */
const claimsAtOnce = 16;
/** Conversations that are brought away at once: each ends a Claude Code. */
const movesAtOnce = 4;
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
  moves: MovePort & Pick<ParcelPort, 'transcriptFor' | 'expect' | 'arrive'>;
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
  /** Conversations whose rows are just being written, as they come from another node. */
  readonly #arriving = new Set<string>();
  #isDraining = false;
  /** Conversations that are here and live on another node. */
  readonly #strays = new Map<string, string>();
  #bucket: Bucket | undefined;
  #tunnels: { endpoint: TunnelEndpoint; connection: NatsConnection } | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { settings, clock, log, release, startedAt } = options;
    const { node } = settings;
    const bucket = () => (this.#link.connection ? this.#bucket : undefined);
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
      looked: () => void this.#moves.settle(),
      bucket,
      clock,
      log,
    });
    this.#homes = new Homes({
      node,
      bucket,
      pinOf: (key) => options.pinOf(key) ?? (this.#isDraining ? this.#roomiest() : undefined),
      has: options.has,
      wall: clock.wall,
    });
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
    await this.#tunnels?.endpoint.close();
    await this.#members.close();
    await this.#link.close();
  }

  view(): ClusterView {
    const { name, node } = this.#options.settings;
    const { state } = this.#link;
    return {
      name,
      node,
      state: state.name,
      server: state.name === 'connected' ? state.server : null,
      reason: this.#members.reason ?? ('reason' in state ? (state.reason ?? null) : null),
      nodes: this.#members.rows(),
    };
  }

  /** What is wrong with it. */
  get health(): Health[] {
    const { state } = this.#link;
    const { reason } = this.#members;
    return [
      ...(state.name === 'connected'
        ? []
        : [
            {
              code: 'cluster_unreachable',
              words: `The nats-servers cannot be reached: ${'reason' in state && state.reason ? state.reason : 'none has answered yet'}. What lives here goes on; new conversations and those of other nodes wait.`,
            },
          ]),
      ...(reason === undefined ? [] : [{ code: 'cluster_name_taken', words: reason }]),
      ...[...this.#strays].map(([key, node]) => ({
        code: 'conversation_elsewhere',
        words: `${key} lives on node ${node}; what is here of it is from before, and gets no more messages.`,
      })),
    ];
  }

  /** A conversation that is begun or removed here. */
  observe({ session, event }: Pick<JournalRow, 'session' | 'event'>): void {
    // What comes from another node, or went there, has its home already.
    if (this.#arriving.has(session) || this.#moves.isUnder(session)) return;
    if (event.type === 'session.opened') void this.#claim(session);
    if (event.type === 'session.removed') {
      this.#strays.delete(session);
      this.#homes
        .release(session)
        .catch((error: unknown) => this.#options.log.warn('a home was not given up', { error }));
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
      const home = await this.#homes.of(key);
      if (home.kind === 'here') return { kind: 'here' };
      if (relayed) return { kind: 'not_here' };
      if (home.kind === 'unknown') return { kind: 'words', text: unreachable };
      const far = await this.#reach(home.node);
      if (!far) return { kind: 'words', text: awayText(home.node) };
      const answer = await relay(request, body, response, far);
      if (answer === 'answered') return { kind: 'answered' };
      if (answer === 'broken') return { kind: 'words', text: awayText(home.node) };
      this.#homes.forget(key);
    }
    return { kind: 'words', text: unreachable };
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
        'What lives there is not lost; `synthesis cluster status` shows when it was there last.',
      );
    }
  }

  /**
   * Before an operator begins a conversation here.
   * @throws OperatorError `elsewhere` when it lives on another node, or when that cannot be found out
   */
  async mayBegin(key: string): Promise<void> {
    const home = await this.#homes.of(key);
    if (home.kind === 'here') return;
    if (home.kind === 'unknown') throw new OperatorError('elsewhere', unreachable, 'Nothing was begun.');
    throw new OperatorError(
      'elsewhere',
      `The conversation "${key}" lives on node ${home.node}. Nothing was begun here.`,
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
    const drained: Drained = { moved: [], left: [] };
    const left = [...keys()];
    const work = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const pin = pinOf(key);
        const to = pin === settings.node ? undefined : (pin ?? this.#roomiest());
        const stays = pin === settings.node ? 'the configuration wants it here' : 'no other node is there';
        const words = to === undefined ? stays : await this.#moved(key, to, ms, signal);
        if (words === undefined) drained.moved.push({ session: key, node: to ?? '' });
        else drained.left.push({ session: key, words });
      }
    };
    await Promise.all(Array.from({ length: movesAtOnce }, work));
    return drained;
  }

  /** @returns why it stays */
  async #moved(key: string, to: string, ms: number, signal: AbortSignal): Promise<string | undefined> {
    try {
      await this.move(key, to, ms, signal);
      return undefined;
    } catch (error) {
      if (error instanceof OperatorError) return error.message;
      throw error;
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

  /** @throws TunnelError when it cannot be reached */
  async #dial(node: string, service: TunnelHello['service']): Promise<Duplex> {
    if (!this.#tunnels || !this.#link.connection)
      throw new TunnelError('no_listener', 'The nats-servers cannot be reached.');
    const hello = { service, from: this.#options.settings.node };
    return await this.#tunnels.endpoint.dial(this.#subject(node), hello, dialMs);
  }

  async #reach(node: string): Promise<Duplex | undefined> {
    try {
      return await this.#dial(node, 'http');
    } catch (error) {
      this.#options.log.warn('another node could not be reached', { node, error });
      return undefined;
    }
  }

  async #up(connection: NatsConnection): Promise<void> {
    const { settings, clock, log, accept } = this.#options;
    const { name, servers, node, replicas = servers.length >= 3 ? 3 : 1 } = settings;
    if (this.#tunnels?.connection !== connection) {
      await this.#tunnels?.endpoint.close();
      const endpoint = new TunnelEndpoint({ connection, clock, log });
      endpoint.listen(this.#subject(node), (tunnel, { service }) => {
        if (service === 'move') void this.#receive(tunnel);
        else accept[service](tunnel);
      });
      this.#tunnels = { endpoint, connection };
    }
    this.#bucket = await Bucket.open(connection, name, replicas);
    await this.#members.join();
    await this.#moves.settle();
    await this.#claimAll();
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

  async #claimAll(): Promise<void> {
    const keys = [...this.#options.keys()];
    const work = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await this.#claim(key);
    };
    await Promise.all(Array.from({ length: claimsAtOnce }, work));
  }

  async #claim(key: string): Promise<void> {
    const home = await this.#homes.of(key);
    if (home.kind === 'there') this.#strays.set(key, home.node);
    else this.#strays.delete(key);
  }

  #subject(node: string): string {
    return `${this.#options.settings.name}.node.${node}.dial`;
  }
}

const awayText = (node: string): string =>
  `This conversation lives on ${node}, which is away. Your message was not taken: send it again when ${node} is back.`;

const unreachable =
  'Where this conversation lives cannot be found out now: the cluster cannot be reached. Your message was not taken; send it again in a minute.';
