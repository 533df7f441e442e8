// A connection to OpenClaw's gateway that comes back by itself. What waits for an answer when it breaks is told so.
import { WebSocket } from 'ws';
import type { TokenSource } from '../../../base/files/token-source.ts';
import { newId } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import { never } from '../../../base/never.ts';
import { backoff } from '../../../base/time/backoff.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { Heartbeat } from '../../../base/time/heartbeat.ts';
import { Pending, PendingError } from '../../../base/waiting/pending.ts';
import type { GatewayStatus } from '../../../domain/views/control.ts';
import { GatewayCallError } from './gateway-call-error.ts';
import { connectParams, readFrame } from './gateway-frame.ts';

export interface GatewayLinkOptions {
  /** `ws://127.0.0.1:18789` */
  url: string;
  /** Asked for each attempt: a renewed file needs no restart. */
  token: TokenSource;
  /** Of the bridge, as the gateway's own lists show it. */
  version: string;
  clock: Clock;
  log: Log;
  /** The gateway has greeted: calls can be made. */
  up(): void;
  /** The status is another one. */
  changed(): void;
}

export type LinkStatus = Pick<GatewayStatus, 'state' | 'attempt' | 'reason'> & {
  /** Wall clock, epoch ms. */
  since: number;
};

type State =
  | { name: 'closed' }
  | { name: 'connecting'; socket: WebSocket }
  | { name: 'up'; socket: WebSocket }
  /** `refused`: the token that the gateway did not take. */
  | { name: 'waiting'; reason: string; refused?: { token: string; at: number } };

const retry = { baseMs: 1_000, factor: 2, maxMs: 10_000, jitter: 0.2 };
/** Milliseconds from the start of an attempt until the gateway has greeted. */
const helloMs = 15_000;
/** The gateway ticks every 15 s, too; two unanswered pings mean that it is gone. */
const pingMs = 15_000;
/** A refused token is tried again when it changed, or after this long: the gateway may have been given it meanwhile. */
const refusedMs = 5 * 60_000;
/** Largest frame that is taken from the gateway, bytes. Its own limit for ours is 25 MiB (measured on 2026.9.6). */
const largestFrame = 32 * 1024 * 1024;

export class GatewayLink {
  readonly #options: GatewayLinkOptions;
  readonly #answers: Pending<unknown>;
  readonly #heartbeat: Heartbeat;
  #state: State = { name: 'closed' };
  #attempt = 0;
  #since: number;
  #cancel: Cancel = () => {};

  #lostAt: number | undefined;
  /** It greeted once, so there is a gateway at this address. */
  #known = false;

  constructor(options: GatewayLinkOptions) {
    this.#options = options;
    this.#since = options.clock.wall();
    this.#answers = new Pending(options.clock);
    this.#heartbeat = new Heartbeat(options.clock, {
      everyMs: pingMs,
      misses: 2,
      ping: () => this.#socket?.ping(),
      dead: () => this.#socket?.terminate(),
    });
  }

  /**
   * When a gateway that was reached before was seen to be gone last, monotonic ms: a connection that worked broke, or a
   * new one failed.
   */
  get lostAt(): number | undefined {
    return this.#lostAt;
  }

  get status(): LinkStatus {
    const about = { attempt: this.#attempt, since: this.#since };
    switch (this.#state.name) {
      case 'up':
        return { ...about, state: 'connected', reason: null };
      case 'connecting':
        return { ...about, state: this.#attempt > 0 ? 'reconnecting' : 'connecting', reason: null };
      case 'waiting': {
        const { reason, refused } = this.#state;
        return { ...about, state: refused ? 'disconnected' : 'reconnecting', reason };
      }
      case 'closed':
        return { ...about, state: 'disconnected', reason: null };
      default:
        return never(this.#state);
    }
  }

  start(): void {
    if (this.#state.name === 'closed') this.#dial();
  }

  /** Something else says that the gateway may be gone: an attempt that waits is made at once. */
  look(): void {
    if (this.#state.name !== 'waiting') return;
    this.#cancel();
    this.#dial();
  }

  /** Idempotent. Whoever waits for an answer is told. */
  close(): void {
    this.#cancel();
    this.#heartbeat.stop();
    const socket = this.#socket;
    this.#state = { name: 'closed' };
    this.#answers.closeAll('the connection was closed');
    socket?.terminate();
  }

  /**
   * Calls a method of the gateway.
   * @param ms deadline
   * @throws GatewayCallError
   */
  async call(method: string, params: object, ms: number): Promise<unknown> {
    if (this.#state.name !== 'up') {
      const reason = this.#state.name === 'waiting' ? ` (${this.#state.reason})` : '';
      throw new GatewayCallError('down', `the gateway of OpenClaw cannot be reached${reason}`);
    }
    return this.#request(this.#state.socket, method, params, ms);
  }

  get #socket(): WebSocket | undefined {
    return 'socket' in this.#state ? this.#state.socket : undefined;
  }

  async #request(socket: WebSocket, method: string, params: object, ms: number): Promise<unknown> {
    const id = newId('g');
    const answer = this.#answers.open(id, ms);
    socket.send(JSON.stringify({ type: 'req', id, method, params }));
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof PendingError)) throw error;
      throw error.code === 'timeout'
        ? new GatewayCallError('timeout', `OpenClaw did not answer ${method} within ${ms / 1000} s`)
        : new GatewayCallError('lost', `the connection to OpenClaw broke during ${method}`);
    }
  }

  #become(state: State): void {
    this.#state = state;
    this.#since = this.#options.clock.wall();
    this.#options.changed();
  }

  #dial(): void {
    const { url, clock, token: read } = this.#options;
    const token = read();
    if (!token.ok) return this.#wait(token.words);
    const before = this.#state.name === 'waiting' ? this.#state.refused : undefined;
    if (before?.token === token.token && clock.now() - before.at < refusedMs) return this.#schedule();
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: largestFrame,
      followRedirects: false,
    });
    this.#become({ name: 'connecting', socket });
    let failure: { reason: string; refused?: boolean } = { reason: '' };
    const cancel = clock.after(helloMs, () => {
      failure = { reason: `no greeting within ${helloMs / 1000} s` };
      socket.terminate();
    });
    const greet = async () => {
      try {
        await this.#request(socket, 'connect', connectParams(token.token, this.#options.version), helloMs);
        cancel();
        this.#greeted(socket);
      } catch (error) {
        failure = failureOf(error);
        socket.close();
      }
    };
    socket.on('error', (error) => {
      // Giving an attempt up is an error, too; why it was given up says more.
      if (failure.reason === '') failure = { reason: error.message || 'the connection failed' };
    });
    socket.on('pong', () => this.#heartbeat.alive());
    socket.on('message', (data) => this.#take(socket, data.toString(), greet));
    socket.on('close', (code, reason) => {
      cancel();
      if (this.#socket !== socket) return;
      if (this.#known && !failure.refused) this.#lostAt = clock.now();
      const words = failure.reason || reason.toString() || `it closed with ${code}`;
      this.#wait(words, failure.refused ? { token: token.token, at: clock.now() } : undefined);
    });
  }

  #take(socket: WebSocket, text: string, greet: () => Promise<void>): void {
    const frame = readFrame(text);
    if (!frame || socket !== this.#socket) return;
    this.#heartbeat.alive();
    if (frame.type === 'event') {
      if (frame.event === 'connect.challenge' && this.#state.name === 'connecting') void greet();
      return;
    }
    if (frame.ok) this.#answers.settle(frame.id, frame.payload);
    else this.#answers.fail(frame.id, refusalOf(frame.error));
  }

  #greeted(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#attempt = 0;
    this.#known = true;
    this.#become({ name: 'up', socket });
    this.#heartbeat.start();
    this.#options.log.info('connected to the gateway of OpenClaw');
    this.#options.up();
  }

  #wait(reason: string, refused?: { token: string; at: number }): void {
    const wasUp = this.#state.name === 'up';
    this.#heartbeat.stop();
    this.#attempt += 1;
    // The first failure, and each end of a connection that worked, is worth a line.
    if (wasUp || this.#attempt === 1)
      this.#options.log.warn('no connection to the gateway of OpenClaw', { reason });
    this.#become({ name: 'waiting', reason, ...(refused && { refused }) });
    this.#answers.closeAll('the connection broke');
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(backoff(retry, this.#attempt), () => this.#dial());
  }
}

function refusalOf(
  error: { code?: string | undefined; message: string; retryable?: boolean | undefined } | undefined,
) {
  const again = error?.retryable === true || error?.code === 'UNAVAILABLE';
  return new GatewayCallError(again ? 'busy' : 'refused', error?.message ?? 'the gateway refused');
}

/** Why a greeting failed. A gateway that is still starting has not refused anything. */
function failureOf(error: unknown): { reason: string; refused?: boolean } {
  const reason = error instanceof Error ? error.message : String(error);
  return { reason, refused: error instanceof GatewayCallError && error.code === 'refused' };
}
