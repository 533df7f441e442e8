// The connection to one gateway: dials, notices silence and sleep, comes back. One state at a time; events of an
// abandoned socket are ignored by identity. The token is in the URL that is dialled and nowhere else.
import type { TokenSource } from '../../../base/files/token-source.ts';
import type { Log } from '../../../base/log.ts';
import { never } from '../../../base/never.ts';
import { backoff } from '../../../base/time/backoff.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { Heartbeat } from '../../../base/time/heartbeat.ts';
import type { AgpConnectionState } from '../../../protocol/wire/agp.ts';
import { AGP_RECONNECT_FACTOR, AGP_RECONNECT_MAX_MS } from '../../../protocol/wire/agp-limits.ts';
import type { AgpDial, AgpSocket, AgpSocketEvents } from './dial.ts';
import type { OutboxLink } from './outbox.ts';
import { WakeWatch } from './wake-watch.ts';

export interface ConnectionStatus {
  state: AgpConnectionState;
  /** Attempts that failed in a row. */
  attempt: number;
  /** Why there is no connection, in words; null while there is one. */
  reason: string | null;
  /** Wall clock of the last change of state, epoch ms. */
  since: number;
}

export interface ConnectionOptions {
  /** Without its token: what may be shown. */
  url: string;
  token: TokenSource;
  /** Milliseconds before the first reconnect. */
  reconnectMs: number;
  /** 0 = for ever. */
  maxAttempts: number;
  /** Milliseconds between pings; one that is unanswered when the next is due means that the gateway is gone. */
  heartbeatMs: number;
  clock: Clock;
  dial: AgpDial;
  random: () => number;
  log: Log;
  handlers: {
    opened(link: OutboxLink): void;
    text(text: string): void;
    pong(payload: string): void;
    /** A ping is due. */
    ping(): void;
    lost(): void;
    changed(status: ConnectionStatus): void;
  };
}

type State =
  | { kind: 'idle' }
  | { kind: 'dialing'; socket: AgpSocket }
  | { kind: 'open'; socket: AgpSocket; since: number }
  | { kind: 'waiting' }
  /** No further attempt is planned, but for a token that was renewed. */
  | { kind: 'given_up' }
  | { kind: 'closed' };

/** Milliseconds for TCP, TLS and the upgrade together. */
const dialMs = 20_000;
/** A connection that lived this long, milliseconds, or was useful, starts the backoff over; a flapping one does not. */
const stableMs = 10_000;
/** Milliseconds for a pong after the machine woke up. */
const wakeMs = 5_000;
/** Milliseconds between two looks at a token that was refused. */
const renewedMs = AGP_RECONNECT_MAX_MS;
/** Share of each delay that is random: many clients of one gateway must not come back at the same moment. */
const jitter = 0.2;

export class AgpConnection {
  readonly #options: ConnectionOptions;
  readonly #heartbeat: Heartbeat;
  readonly #wakeWatch: WakeWatch;
  #state: State = { kind: 'idle' };
  #attempt = 0;
  #reason: string | null = 'not started';
  #since: number;
  #told: AgpConnectionState = 'disconnected';
  #token = '';
  #cancelStep: Cancel = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#since = options.clock.wall();
    this.#heartbeat = new Heartbeat(options.clock, {
      everyMs: options.heartbeatMs,
      misses: 1,
      ping: () => options.handlers.ping(),
      dead: () => this.#lost('the gateway did not answer a ping'),
    });
    this.#wakeWatch = new WakeWatch(options.clock, () => this.#woke());
  }

  status(): ConnectionStatus {
    const attempt = this.#state.kind === 'open' ? 0 : this.#attempt;
    return { state: this.#name(), attempt, reason: this.#reason, since: this.#since };
  }

  start(): void {
    if (this.#state.kind !== 'idle') return;
    this.#wakeWatch.start();
    this.#connect();
  }

  /** The gateway let us in and means us: a prompt came, or it read something of ours. */
  useful(): void {
    if (this.#state.kind === 'open') this.#attempt = 0;
  }

  /** Ends the connection for good. Idempotent. */
  close(): void {
    if (this.#state.kind === 'closed') return;
    this.#wakeWatch.stop();
    const wasOpen = this.#leave();
    this.#enter({ kind: 'closed' }, 'the bridge stops');
    if (wasOpen) this.#options.handlers.lost();
  }

  #name(): AgpConnectionState {
    switch (this.#state.kind) {
      case 'dialing':
        return this.#attempt === 0 ? 'connecting' : 'reconnecting';
      case 'open':
        return 'connected';
      case 'waiting':
        return 'reconnecting';
      case 'idle':
      case 'given_up':
      case 'closed':
        return 'disconnected';
      default:
        return never(this.#state);
    }
  }

  #connect(): void {
    const { dial, url, token } = this.#options;
    const read = token();
    if (!read.ok) return this.#giveUp(`there is no token: ${read.words}`);
    this.#token = read.token;
    let socket: AgpSocket | undefined;
    const current = (handle: () => void) => {
      if (socket && this.#socket() === socket) handle();
    };
    const events: AgpSocketEvents = {
      open: () => current(() => this.#opened()),
      text: (text) => current(() => this.#options.handlers.text(text)),
      pong: (payload) => current(() => this.#pong(payload)),
      closed: (end) => current(() => this.#closed(end)),
    };
    try {
      socket = dial(withToken(url, read.token), events);
    } catch {
      // The message of such an error holds the URL, and with it the token.
      return this.#giveUp('the URL cannot be dialled');
    }
    this.#enter({ kind: 'dialing', socket }, this.#reason);
    this.#step(dialMs, () => this.#lost(`no connection within ${dialMs / 1000} s`));
  }

  #opened(): void {
    const socket = this.#socket();
    if (!socket) return;
    this.#cancelStep();
    this.#enter({ kind: 'open', socket, since: this.#options.clock.now() }, null);
    this.#heartbeat.start();
    this.#options.handlers.opened(socket);
  }

  #pong(payload: string): void {
    this.#heartbeat.alive();
    if (this.#state.kind === 'open') this.#cancelStep();
    this.#options.handlers.pong(payload);
  }

  #closed({ code, reason, status }: Parameters<AgpSocketEvents['closed']>[0]): void {
    const refused = status === 401 || status === 403 || code === 4401 || code === 4403;
    if (refused) return this.#giveUp('the gateway refused the token');
    if (status !== undefined) return this.#lost(`the gateway answered with HTTP ${status}`);
    this.#lost(reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`);
  }

  /** The machine slept: a waiting attempt is made now, an open connection has to prove that it still is one. */
  #woke(): void {
    const { kind } = this.#state;
    if (kind === 'open') {
      this.#options.log.info('the machine slept; asking the gateway for a sign of life');
      this.#step(wakeMs, () => this.#lost('no sign of life after the machine slept'));
      this.#options.handlers.ping();
      return;
    }
    if (kind !== 'waiting' && kind !== 'dialing') return;
    this.#leave();
    this.#attempt = Math.min(this.#attempt, 1);
    this.#connect();
  }

  /** Gives this connection up and tries again later. */
  #lost(why: string): void {
    const { clock, handlers, random, reconnectMs, maxAttempts } = this.#options;
    if (this.#state.kind === 'open' && clock.now() - this.#state.since >= stableMs) this.#attempt = 0;
    const wasOpen = this.#leave();
    this.#attempt += 1;
    const reason = this.#safe(why);
    if (maxAttempts > 0 && this.#attempt > maxAttempts) {
      this.#enter({ kind: 'given_up' }, `${reason}; given up after ${maxAttempts} attempts`);
    } else {
      const pace = { baseMs: reconnectMs, factor: AGP_RECONNECT_FACTOR, maxMs: AGP_RECONNECT_MAX_MS, jitter };
      this.#enter({ kind: 'waiting' }, reason);
      this.#step(backoff(pace, this.#attempt, random), () => this.#connect());
    }
    if (wasOpen) handlers.lost();
  }

  /** A token that was refused stays refused: hammering the gateway with it helps nobody. A renewed one is tried. */
  #giveUp(reason: string): void {
    const wasOpen = this.#leave();
    this.#enter({ kind: 'given_up' }, reason);
    if (wasOpen) this.#options.handlers.lost();
    const refused = this.#token;
    const look = () => {
      const read = this.#options.token();
      if (read.ok && read.token !== refused) return this.#connect();
      this.#step(renewedMs, look);
    };
    this.#step(renewedMs, look);
  }

  #step(ms: number, then: () => void): void {
    this.#cancelStep();
    this.#cancelStep = this.#options.clock.after(ms, then);
  }

  /** @returns true when an open connection was left */
  #leave(): boolean {
    const socket = this.#socket();
    const wasOpen = this.#state.kind === 'open';
    this.#cancelStep();
    this.#heartbeat.stop();
    this.#state = { kind: 'waiting' };
    socket?.close();
    return wasOpen;
  }

  #enter(state: State, reason: string | null): void {
    const { log, clock, handlers } = this.#options;
    this.#state = state;
    this.#reason = reason;
    const name = this.#name();
    const { attempt } = this.status();
    if (name === this.#told) return log.debug('gateway connection', { state: name, attempt, reason });
    this.#told = name;
    this.#since = clock.wall();
    log.info('gateway connection', { state: name, attempt, reason });
    handlers.changed(this.status());
  }

  #socket(): AgpSocket | undefined {
    return 'socket' in this.#state ? this.#state.socket : undefined;
  }

  /** Foreign words, short and without our token. */
  #safe(words: string): string {
    const token = this.#token;
    if (token === '') return words.slice(0, 200).toWellFormed();
    const inQuery = new URLSearchParams({ token }).toString().slice('token='.length);
    const forms = [token, inQuery, encodeURIComponent(token)];
    const bare = forms.reduce((text, form) => text.replaceAll(form, '…'), words);
    return bare.slice(0, 200).toWellFormed();
  }
}

function withToken(url: string, token: string): string {
  const whole = new URL(url);
  whole.searchParams.set('token', token);
  return whole.toString();
}
