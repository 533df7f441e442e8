// Conversations that outlive their machine, as this node has a part in it: it keeps its own where others find them, gives
// them up in time, and goes on with those of nodes that are gone.
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../../base/log.ts';
import { type Clock, pause } from '../../../base/time/clock.ts';
import type { Session } from '../../../domain/state/session.ts';
import type { ClusterView } from '../../../domain/views/cluster.ts';
import type { ClusterSettings } from '../../../protocol/cluster/cluster.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { CopyPort } from '../../app/ports.ts';
import { Copies, erase } from '../copies/copies.ts';
import { CopyStore } from '../copies/copy-store.ts';
import type { ConversationFiles } from '../files/conversation-files.ts';
import type { Homes } from '../homes.ts';
import { Custody, type CustodyPort } from './custody.ts';
import { Eraser, type ErasureStore } from './eraser.ts';
import { Lease } from './lease.ts';
import { Takeover, type TakeoverPort } from './takeover.ts';

/** For it to be found out whether a conversation still lives here, ms: a message waits as long. */
const graceMs = 3_000;
/** How often is looked for that meanwhile, ms. */
const lookMs = 100;

/** The conversations of this machine: `bridge/app/moves` and `bridge/claude` fit by shape. */
export interface ContinuityPort
  extends Pick<CustodyPort, 'wants' | 'isHeld' | 'hold' | 'house' | 'lease'>,
    Pick<TakeoverPort, 'refusal' | 'free' | 'transcriptFor' | 'arrive'> {
  /** Whether there can be any that another node may go on with. */
  isOn: boolean;
  session(key: string): Session | undefined;
  /** Seq of the newest row of the journal. */
  seq(): number;
}

export interface ContinuityOptions {
  settings: ClusterSettings;
  /** Of this start of the bridge. */
  instance: string;
  port: ContinuityPort & Pick<CustodyPort, 'gone' | 'keys'> & Pick<TakeoverPort, 'has'>;
  homes: Homes;
  /** What is still to be erased on the servers. */
  erasures: ErasureStore;
  /** Path of Claude Code's file of one of its sessions. */
  transcript(claude: string): string | undefined;
  files: Pick<ConversationFiles, 'read' | 'write'>;
  /** The connection that this node has a part in the cluster by; undefined while there is none. */
  connection(): NatsConnection | undefined;
  /** Nodes that have lost what they had. */
  gone(): ReadonlySet<string>;
  isDraining(): boolean;
  clock: Clock;
  log: Log;
}

export class Continuity {
  readonly #options: ContinuityOptions;
  readonly #copies: Copies;
  readonly #custody: Custody;
  readonly #lease: Lease;
  readonly #takeover: Takeover;
  readonly #eraser: Eraser;
  #opened: { store: CopyStore; connection: NatsConnection } | undefined;

  constructor(options: ContinuityOptions) {
    this.#options = options;
    const { settings, port, homes, clock, log } = options;
    const { node, leaseSeconds } = settings;
    const store = () => this.#store;
    this.#copies = new Copies({
      node,
      instance: options.instance,
      store,
      own: (key) => homes.own(key, true),
      session: port.session,
      seq: port.seq,
      transcript: options.transcript,
      files: (key) => options.files.read(key),
      lost: (key) => void this.#custody.lost(key),
      clock,
      log,
    });
    this.#custody = new Custody({ node, copies: this.#copies, homes, seq: port.seq, port, log });
    this.#lease = new Lease({
      leaseMs: leaseSeconds * 1000,
      ended: () => this.#custody.ended(),
      renewed: (ms) => this.#custody.renewed(ms),
      clock,
    });
    this.#eraser = new Eraser({
      file: options.erasures,
      homes,
      store: async () => store() ?? (await this.#open(this.#connected)),
      has: port.has,
      clock,
      log,
    });
    this.#takeover = new Takeover({
      node,
      homes,
      store,
      gone: options.gone,
      files: options.files,
      port: {
        refusal: (key) => (options.isDraining() ? 'this node is drained' : port.refusal(key)),
        // What was removed here does not come back from there.
        has: (key) => port.has(key) || this.#eraser.has(key),
        free: port.free,
        transcriptFor: port.transcriptFor,
        arrive: port.arrive,
        house: (key) => this.#custody.house(key),
      },
      clock,
      log,
    });
  }

  /** Where else some of the conversations of this machine are kept. */
  get copies(): CopyPort {
    return this.#copies;
  }

  /** There is no room for them. */
  get isFull(): boolean {
    return this.#copies.isAnyFull;
  }

  /** What of nodes that are gone cannot go on here, and why, in words. */
  get refused(): ReadonlyMap<string, string> {
    return this.#takeover.refused;
  }

  /** What was removed here and lies on the servers still, each with the node that goes on with it, if there is one. */
  get unerased(): ReadonlyMap<string, string | undefined> {
    return this.#eraser.left;
  }

  get view(): ClusterView['takeover'] {
    const { port, settings } = this.#options;
    return port.isOn ? { conversations: this.#copies.keys.length, after_s: settings.leaseSeconds } : null;
  }

  /** For how long a Claude Code may run without another word, ms; undefined: as long as it likes, or as it was told. */
  leaseOf(key: string): number | undefined {
    return this.#options.port.wants(key) ? this.#lease.left : undefined;
  }

  /** Before what a bridge has left goes on: another node may have it by now. */
  hold(): void {
    this.#custody.begin();
  }

  /** Connected. @throws what the servers say */
  async join(connection: NatsConnection): Promise<void> {
    if (this.#options.port.isOn) this.#opened = { store: await this.#open(connection), connection };
  }

  /** The time, as `wrote` is told it. */
  get now(): number {
    return this.#lease.now;
  }

  /** The record of this node was written. @param since when that was begun */
  wrote(since: number): void {
    if (this.#options.port.isOn) this.#lease.renew(since);
  }

  /** Others were looked at. */
  looked(): void {
    if (this.#options.connection()) void this.#eraser.look();
    if (this.#options.port.isOn && this.#options.connection()) void this.#takeover.look();
  }

  observe(row: JournalRow): void {
    this.#custody.observe(row);
  }

  /** It lives here: what waits in it goes on once all of it is kept. */
  house(key: string): Promise<void> {
    return this.#custody.house(key);
  }

  /** It lives elsewhere. */
  gone(key: string): Promise<void> {
    return this.#custody.gone(key);
  }

  /**
   * It was removed. Resolves when nothing of it is on the servers any more, as late as that may be.
   * @param forget whether other nodes are to forget what it has left there
   * @param release gives up its home
   */
  removed(key: string, forget: boolean, release: () => Promise<void>): Promise<void> {
    const isKept = this.#options.port.wants(key) && !this.#custody.isLeaving(key);
    // Of what is held nothing is kept from here, and what lies there is this node's all the same.
    if (isKept && !this.#copies.has(key)) this.#copies.begin(key);
    const end = () => this.#copies.end(key, release);
    return isKept ? this.#eraser.removed({ session: key, forget }, end) : end();
  }

  /** Resolves when what is under way for one that was removed is over. @returns whether it is erased there */
  async erased(key: string): Promise<boolean> {
    await this.#eraser.over(key);
    return !this.#eraser.has(key);
  }

  /**
   * Resolves when it is clear whether a conversation lives here that was, or is being, taken over.
   * @returns false when that is not clear yet, and nothing may begin here under its name
   */
  async settled(key: string): Promise<boolean> {
    const { clock, port } = this.#options;
    const end = clock.now() + graceMs;
    this.#lease.look();
    while (port.isHeld(key) && clock.now() < end) await pause(clock, lookMs);
    return !port.isOn || (await this.#takeover.settled(key));
  }

  /** What no other node is to take over any more does not stay on the servers. @throws what these say */
  async forgetUnwanted(): Promise<void> {
    const { settings, port, homes } = this.#options;
    const present = new Set(port.keys());
    const left = (await homes.list()).filter(
      ({ value: { session, node, takeover } }) =>
        takeover && node === settings.node && present.has(session) && !port.wants(session),
    );
    for (const { value } of left)
      if ((await homes.own(value.session, false)) !== undefined) await this.erase(value.session);
  }

  /** Nothing of it stays there, whoever wrote it. @throws what the servers say */
  async erase(key: string): Promise<void> {
    await erase(this.#store ?? (await this.#open(this.#connected)), key);
  }

  /** Resolves when all that has happened is there, as late as that may be. */
  async close(): Promise<void> {
    this.#lease.close();
    await this.#copies.close();
  }

  get #store(): CopyStore | undefined {
    return this.#opened?.connection === this.#options.connection() ? this.#opened?.store : undefined;
  }

  /** @throws while there is none */
  get #connected(): NatsConnection {
    const connection = this.#options.connection();
    if (!connection) throw new Error('the nats-servers cannot be reached');
    return connection;
  }

  #open(connection: NatsConnection): Promise<CopyStore> {
    const { settings } = this.#options;
    const replicas = replicasOf(settings);
    return CopyStore.open(connection, settings.name, { replicas, maxBytes: settings.storeMb * 1024 ** 2 });
  }
}

/** On how many servers everything lies. */
export const replicasOf = ({ servers, replicas }: ClusterSettings): number =>
  replicas ?? (servers.length >= 3 ? 3 : 1);
