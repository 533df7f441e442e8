// The connection to the bridge: dials, says hello, answers pings, notices silence, comes back.
// One state at a time; events of an abandoned socket are ignored by identity.
import type { Log } from '../base/log.ts';
import { never } from '../base/never.ts';
import { backoff } from '../base/time/backoff.ts';
import type { Cancel, Clock } from '../base/time/clock.ts';
import { encode, parseBridgeFrame } from '../protocol/wire/codec.ts';
import {
  type BridgeFrame,
  CHANNEL_SILENCE_MS,
  type ChannelFrame,
  CloseCode,
  type HelloAck,
  PROTOCOL_VERSION,
} from '../protocol/wire/wire.ts';
import { finalClose } from './final-close.ts';
import type { LinkSettings } from './settings.ts';
import type { Dial, SocketEvents, WireSocket } from './wire-socket.ts';

/** Frames that are not the link's own business. */
export type AppFrame = Exclude<BridgeFrame, { type: 'hello_ack' | 'ping' | 'pong' | 'error' }>;

interface LinkHandlers {
  /** What this process has open, asked once per connection. */
  hello(): { open_calls: string[]; seen: string[] };
  ready(ack: HelloAck): void;
  frame(frame: AppFrame): void;
  /** A ready connection was lost. */
  down(): void;
  /** No further attempt will be made; words for Claude and the log. */
  stopped(reason: string): void;
}

export interface BridgeLinkOptions {
  settings: LinkSettings;
  dial: Dial;
  clock: Clock;
  log: Log;
  pid: number;
  handlers: LinkHandlers;
  random?: () => number;
}

type State =
  | { kind: 'idle' }
  | { kind: 'dialing'; socket: WireSocket }
  | { kind: 'greeting'; socket: WireSocket }
  | { kind: 'ready'; socket: WireSocket; since: number }
  | { kind: 'waiting' }
  | { kind: 'stopped' };

/** Milliseconds for each step of the handshake: loopback, so a slow one means a hanging bridge. */
const stepMs = 10_000;
/** A connection that lived this long, milliseconds, starts the backoff over; a flapping one does not. */
const stableMs = 10_000;
/** WebSocket close code for a peer that leaves. */
const goingAway = 1001;
/**
 * 1 s, 2 s, 4 s, 4 s … (wire protocol, Reconnecting): whoever writes after a restart waits for it. On loopback a refused
 * connection costs next to nothing. The jitter keeps many sessions apart.
 */
const pace = { baseMs: 1000, factor: 2, maxMs: 4_000, jitter: 0.2 };

export class BridgeLink {
  readonly #options: BridgeLinkOptions;
  #state: State = { kind: 'idle' };
  #attempt = 0;
  #cancelStep: Cancel = () => {};
  #cancelSilence: Cancel = () => {};
  #lastAlive = 0;
  #ignored = 0;

  constructor(options: BridgeLinkOptions) {
    this.#options = options;
  }

  get state(): State['kind'] {
    return this.#state.kind;
  }

  /** Starts to connect; the link keeps trying until it is told to stop. */
  start(): void {
    if (this.#state.kind === 'idle') this.#connect();
  }

  /** @returns false unless the bridge has taken our hello. @throws FrameError for a frame that cannot travel. */
  send(frame: ChannelFrame): boolean {
    if (this.#state.kind !== 'ready') return false;
    this.#state.socket.send(encode(frame));
    return true;
  }

  /** Ends the link for good. */
  close(): void {
    this.#leave(1000, 'channel ends');
    this.#state = { kind: 'stopped' };
  }

  #connect(): void {
    const { dial, settings } = this.#options;
    let socket: WireSocket | undefined;
    const current = (handle: () => void) => {
      if (socket && this.#socket() === socket) handle();
    };
    const events: SocketEvents = {
      open: () => current(() => this.#greet()),
      text: (text) => current(() => this.#read(text)),
      binary: () => current(() => this.#refuse('binary messages are not part of the protocol')),
      alive: () => current(() => this.#alive()),
      closed: (code, reason) => current(() => this.#closed(code, reason)),
    };
    try {
      socket = dial(settings.url, events);
    } catch (error) {
      return this.#stop(cannotStart(error));
    }
    this.#state = { kind: 'dialing', socket };
    this.#step('the bridge did not take the connection');
  }

  #greet(): void {
    const socket = this.#socket();
    if (!socket) return;
    this.#state = { kind: 'greeting', socket };
    const { settings, pid, handlers } = this.#options;
    const hello: ChannelFrame = {
      type: 'hello',
      openclaw_session: settings.openclawSession,
      claude_session: settings.claudeSession,
      pid,
      token: settings.token,
      protocol: PROTOCOL_VERSION,
      ...handlers.hello(),
    };
    try {
      socket.send(encode(hello));
    } catch (error) {
      return this.#stop(cannotStart(error));
    }
    this.#alive();
    this.#watch();
    this.#step('the bridge did not answer the hello');
  }

  #read(text: string): void {
    this.#alive();
    const parsed = parseBridgeFrame(text);
    if (parsed.ok) return this.#take(parsed.frame);
    switch (parsed.code) {
      case 'unknown_type':
        this.#ignored += 1;
        return this.#options.log.debug(parsed.message, { ignored: this.#ignored });
      case 'bad_json':
      case 'bad_frame':
        return this.#refuse(parsed.message);
      default:
        return never(parsed.code);
    }
  }

  #take(frame: BridgeFrame): void {
    const { handlers, log } = this.#options;
    switch (frame.type) {
      case 'hello_ack':
        return this.#welcome(frame);
      case 'ping':
        return this.#socket()?.send(encode({ type: 'pong', ts: frame.ts }));
      case 'pong':
        return;
      case 'error':
        return log.warn('the bridge reports an error', { code: frame.code, text: frame.message });
      default:
        // Nothing could be confirmed yet, so nothing is taken.
        if (this.#state.kind !== 'ready') return log.warn('ignored before hello_ack', { type: frame.type });
        return handlers.frame(frame);
    }
  }

  #welcome(ack: HelloAck): void {
    const socket = this.#socket();
    if (!socket) return;
    this.#cancelStep();
    this.#state = { kind: 'ready', socket, since: this.#options.clock.now() };
    this.#options.log.info('connected to the bridge', { tools: ack.tools.length });
    this.#options.handlers.ready(ack);
  }

  #alive(): void {
    this.#lastAlive = this.#options.clock.now();
  }

  #watch(): void {
    const { clock } = this.#options;
    const left = this.#lastAlive + CHANNEL_SILENCE_MS - clock.now();
    this.#cancelSilence();
    if (left <= 0) return this.#lost(`no ping for ${CHANNEL_SILENCE_MS / 1000} s`);
    this.#cancelSilence = clock.after(left, () => this.#watch());
  }

  #step(failure: string): void {
    this.#cancelStep();
    this.#cancelStep = this.#options.clock.after(stepMs, () =>
      this.#lost(`${failure} within ${stepMs / 1000} s`),
    );
  }

  #refuse(message: string): void {
    this.#socket()?.send(encode({ type: 'error', code: 'bad_frame', message }));
    this.#lost(`the bridge sent a bad frame: ${message}`, CloseCode.badFrame);
  }

  #closed(code: number, reason: string): void {
    const final = finalClose(code);
    if (final) this.#stop(final);
    else this.#lost(reason ? `closed with ${code}: ${reason}` : `closed with ${code}`);
  }

  /** Gives up for good. */
  #stop(reason: string): void {
    this.close();
    this.#options.log.error(reason);
    this.#options.handlers.stopped(reason);
  }

  /** Gives this connection up and tries again later. */
  #lost(reason: string, code: number = goingAway): void {
    const { clock, handlers, log, random } = this.#options;
    const wasReady = this.#state.kind === 'ready';
    if (this.#state.kind === 'ready' && clock.now() - this.#state.since >= stableMs) this.#attempt = 0;
    this.#leave(code, '');
    this.#state = { kind: 'waiting' };
    this.#attempt += 1;
    const inMs = Math.round(backoff(pace, this.#attempt, random));
    const report = wasReady || this.#attempt === 1 ? log.warn : log.debug;
    report('no connection to the bridge; trying again', { reason, attempt: this.#attempt, in_ms: inMs });
    this.#cancelStep = clock.after(inMs, () => this.#connect());
    if (wasReady) handlers.down();
  }

  #leave(code: number, reason: string): void {
    const socket = this.#socket();
    this.#cancelStep();
    this.#cancelSilence();
    this.#state = { kind: 'waiting' };
    socket?.close(code, reason);
  }

  #socket(): WireSocket | undefined {
    return 'socket' in this.#state ? this.#state.socket : undefined;
  }
}

const cannotStart = (error: unknown): string =>
  `The environment of this session does not work (${error instanceof Error ? error.message : String(error)}). Restart the session with \`synthesis restart\`.`;
