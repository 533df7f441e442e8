// Tunnels over NATS, both those that this node dials and those that it is dialled for.
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Msg, NatsConnection, QueuedIterator, Status, Subscription } from '@nats-io/transport-node';
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { Pending, PendingError } from '../../../base/waiting/pending.ts';
import { decodeFrame, encodeFrame } from './frame.ts';
import { encodeHello, parseHello, type TunnelHello } from './hello.ts';
import { Tunnel, tickMs } from './tunnel.ts';
import { TunnelError } from './tunnel-error.ts';

export interface TunnelEndpointOptions {
  connection: NatsConnection;
  clock: Clock;
  log: Log;
  /** Beginning of the subjects on which this side is answered, below `_INBOX`: one that only this node may listen to. */
  inboxPrefix?: string;
  /** Tunnels that other nodes may have open here. More are refused. */
  mostAccepted?: number;
  /** Silence after which the other side is gone, ms. The same for all nodes. */
  aliveMs?: number;
}

/** Ticks until a hello is said again that nobody answered. */
const helloTicks = 4;

const newSecret = () => randomBytes(16).toString('base64url');

/** The end of all tunnels of one connection. They share one subscription and one timer. */
export class TunnelEndpoint {
  readonly #options: Required<TunnelEndpointOptions>;
  /** Each tunnel is told on a subject below this one, which only its other side knows. */
  readonly #inbox: string;
  readonly #tunnels = new Map<string, Tunnel>();
  /** Those that were accepted, by the subject of the other side. */
  readonly #welcomes = new Map<string, () => void>();
  readonly #dials: Pending<Tunnel>;
  readonly #hellos = new Map<string, () => void>();
  readonly #subscriptions: Subscription[] = [];
  readonly #status: QueuedIterator<Status>;
  #isConnected = true;
  #isClosed = false;
  #ticks = 0;
  #cancelTick: Cancel | undefined;

  constructor(options: TunnelEndpointOptions) {
    this.#options = { inboxPrefix: '_INBOX', mostAccepted: 256, aliveMs: 10_000, ...options };
    this.#inbox = `${this.#options.inboxPrefix}.${newSecret()}`;
    this.#dials = new Pending(options.clock);
    this.#subscribe(`${this.#inbox}.*`, (message) => this.#hear(message));
    this.#status = options.connection.status() as QueuedIterator<Status>;
    void this.#watch();
  }

  /** Tunnels that are open, or whose last bytes are on their way. */
  get size(): number {
    return this.#tunnels.size;
  }

  /** From now on hellos on this subject get a tunnel each. One subject is listened to by one node. */
  listen(subject: string, accept: (tunnel: Duplex, hello: TunnelHello) => void): void {
    this.#subscribe(subject, (message) => this.#greet(message, accept));
  }

  /**
   * @param subject that the other node listens to
   * @throws TunnelError `no_listener` (also for a moment after it began to listen at another server), `timeout`,
   * `refused` or `closed`
   */
  async dial(subject: string, hello: TunnelHello, timeoutMs: number): Promise<Duplex> {
    if (this.#isClosed) throw new TunnelError('closed', 'The connection to NATS is closed.');
    const id = newSecret();
    const answer = this.#dials.open(id, timeoutMs);
    const say = () => this.#publish(subject, encodeHello(hello), `${this.#inbox}.${id}`);
    this.#hellos.set(id, say);
    this.#keepTime();
    say();
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof PendingError)) throw error;
      throw new TunnelError('timeout', `The other node did not answer within ${timeoutMs} ms.`);
    } finally {
      this.#hellos.delete(id);
    }
  }

  /**
   * Ends every tunnel and dial, and listens no more. Idempotent. The connection stays open: close it when this is done.
   * Its client would end the process with an unhandled error when it is closed in the turn in which it writes to a
   * server that is leaving (@nats-io/transport-node 3.4.0).
   */
  async close(): Promise<void> {
    this.#end('The node is closing its tunnels.');
    await turn();
  }

  #end(words: string): void {
    if (this.#isClosed) return;
    for (const id of this.#dials.keys()) this.#dials.fail(id, new TunnelError('closed', words));
    for (const tunnel of this.#tunnels.values()) tunnel.destroy(new TunnelError('closed', words));
    for (const tunnel of this.#tunnels.values()) tunnel.fail('closed', words);
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#status.stop();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  #subscribe(subject: string, take: (message: Msg) => void): void {
    const { connection, log } = this.#options;
    const callback = (error: Error | null, message: Msg) => {
      if (error) log.warn('NATS refused what tunnels need', { subject, error });
      else take(message);
    };
    this.#subscriptions.push(connection.subscribe(subject, { callback }));
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#status) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type !== 'reconnect') continue;
      this.#isConnected = true;
      for (const tunnel of this.#tunnels.values()) tunnel.reconnected();
    }
    this.#isConnected = false;
    this.#end('The connection to NATS is closed.');
  }

  /** What cannot be sent now is lost, as on the way: NATS would keep it without a limit. */
  #publish(subject: string, message: Uint8Array | string, reply?: string): void {
    if (!this.#isConnected) return;
    try {
      this.#options.connection.publish(subject, message, reply === undefined ? undefined : { reply });
    } catch (error) {
      this.#options.log.warn('NATS took no message of a tunnel', { error });
    }
  }

  #greet(message: Msg, accept: (tunnel: Duplex, hello: TunnelHello) => void): void {
    const { log, mostAccepted } = this.#options;
    const peer = message.reply;
    if (!this.#isInbox(peer)) return;
    const known = this.#welcomes.get(peer);
    if (known) return known();
    let hello: TunnelHello;
    try {
      hello = parseHello(message.data);
      if (this.#welcomes.size >= mostAccepted) {
        throw new TunnelError('refused', `This node has ${mostAccepted} tunnels open. Try again later.`);
      }
    } catch (error) {
      const words = (error as Error).message;
      log.debug('a tunnel was refused', { words });
      this.#publish(peer, encodeFrame({ kind: 'refusal', words }));
      return;
    }
    const id = newSecret();
    const welcome = () =>
      this.#publish(peer, encodeFrame({ kind: 'welcome', inbox: `${this.#inbox}.${id}` }));
    const tunnel = this.#open(id, peer);
    this.#welcomes.set(peer, welcome);
    welcome();
    this.#guarded(tunnel, () => accept(tunnel, hello));
  }

  #hear(message: Msg): void {
    const id = message.subject.slice(this.#inbox.length + 1);
    if (message.data.length === 0 && message.headers?.code === 503) {
      this.#dials.fail(id, new TunnelError('no_listener', 'No node listens there. It may be away.'));
      return;
    }
    const frame = decodeFrame(message.data);
    if (!frame) return;
    const tunnel = this.#tunnels.get(id);
    if (tunnel) this.#guarded(tunnel, () => tunnel.hear(frame));
    else if (!this.#dials.has(id)) return;
    else if (frame.kind === 'refusal') this.#dials.fail(id, new TunnelError('refused', frame.words));
    else if (frame.kind === 'welcome' && this.#isInbox(frame.inbox)) {
      this.#dials.settle(id, this.#open(id, frame.inbox));
    }
  }

  /** Nothing is said on any other subject, whatever a stranger names. */
  #isInbox(subject: string | undefined): subject is string {
    return subject?.startsWith('_INBOX.') === true && /^[\w.-]+$/.test(subject);
  }

  /** What a user of the tunnel throws ends that tunnel, and not the connection of all. */
  #guarded(tunnel: Tunnel, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error('who uses a tunnel failed', { error });
      tunnel.destroy(error as Error);
    }
  }

  /** At once, and not when who dials has time for it: its first bytes may come right behind the welcome. */
  #open(id: string, peer: string): Tunnel {
    const tunnel = new Tunnel({
      aliveMs: this.#options.aliveMs,
      send: (frame) => this.#publish(peer, frame),
      over: () => {
        this.#tunnels.delete(id);
        this.#welcomes.delete(peer);
      },
    });
    this.#tunnels.set(id, tunnel);
    this.#keepTime();
    return tunnel;
  }

  #keepTime(): void {
    this.#cancelTick ??= this.#options.clock.after(tickMs, () => {
      this.#cancelTick = undefined;
      this.#ticks += 1;
      for (const tunnel of this.#tunnels.values()) tunnel.tick();
      if (this.#ticks % helloTicks === 0) for (const say of this.#hellos.values()) say();
      if (this.#tunnels.size + this.#hellos.size > 0) this.#keepTime();
    });
  }
}
