// The bridge's end of one session's channel. Connections come and go; what was not confirmed is sent again.
import type { WebSocket } from 'ws';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { Heartbeat } from '../../../base/time/heartbeat.ts';
import type { AgentReport } from '../../../domain/commands.ts';
import type { ToolSpec } from '../../../protocol/tool-spec.ts';
import { encode, parseChannelFrame } from '../../../protocol/wire/codec.ts';
import {
  type BridgeFrame,
  type ChannelFrame,
  CloseCode,
  type Hello,
  type InboundMessage,
  type PermissionRequest,
  PING_INTERVAL_MS,
  PING_MISSES,
  PROTOCOL_VERSION,
  type ToolResult,
} from '../../../protocol/wire/wire.ts';
import type { KnownRun } from '../known-run.ts';
import type { LocalTools } from '../options.ts';
import { type LentCall, type LentTools, markOf, ToolCatalog } from '../tools/tool-catalog.ts';
import { AnsweredCalls, tooLarge, toolResult } from './answered-calls.ts';
import { InboundBuffer } from './inbound-buffer.ts';
import { VerdictRelay } from './verdict-relay.ts';

interface LinkEvents {
  report(report: AgentReport): void;
  called(call: LentCall): void;
  /** Claude Code has our tools. */
  toolsListed(): void;
  /** The message reached Claude's standard input. */
  written(turn: string): void;
  /** @param again it came right after a hello: the channel repeats then what may have been missed */
  asked(frame: PermissionRequest, again: boolean): void;
  /** The connection came or went. */
  changed(): void;
}

export interface LinkOptions {
  clock: Clock;
  log: Log;
  inboundLimit: number;
  localTools?: LocalTools | undefined;
  /** Of a Claude Code that was there before. */
  known?: Pick<KnownRun, 'calls' | 'results'> | undefined;
  events: LinkEvents;
}

/** After a hello the channel repeats open questions at once; what comes within this time may be such, ms. */
const repeatMs = 1000;

export class ChannelLink implements LentTools {
  readonly #options: LinkOptions;
  readonly #inbound: InboundBuffer<InboundMessage>;
  readonly #openCalls: Set<string>;
  readonly #results = new AnsweredCalls();
  /** What was decided on its questions. */
  readonly verdicts = new VerdictRelay((request_id, behavior) =>
    this.send({ type: 'permission_reply', request_id, behavior }),
  );
  readonly #catalog: ToolCatalog;
  #socket: WebSocket | undefined;
  #heartbeat: Heartbeat | undefined;
  #pid: number | undefined;
  /** Stands for the tools that the channel server was told last. */
  #told: string | undefined;
  /** Stands for those that Claude Code has read. */
  #given: string | undefined;
  /** Monotonic ms of the newest hello. */
  #attachedAt = 0;

  constructor(tools: ToolSpec[], options: LinkOptions) {
    this.#options = options;
    this.#catalog = new ToolCatalog(tools, options.localTools, options.log);
    this.#inbound = new InboundBuffer(options.inboundLimit);
    this.#openCalls = new Set(options.known?.calls);
    for (const { call, ok, content, envelope } of options.known?.results ?? [])
      this.#results.keep(toolResult(call, ok, content, envelope === true));
  }

  get connected(): boolean {
    return this.#socket !== undefined;
  }

  /** Process id of the channel server that said hello last. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** A channel server proved itself: it replaces an older one. */
  attach(socket: WebSocket, hello: Hello): void {
    const older = this.#socket;
    this.#drop();
    older?.close(CloseCode.superseded, 'a newer hello took over');
    this.#socket = socket;
    this.#attachedAt = this.#options.clock.now();
    this.#pid = hello.pid;
    socket.on('message', (data, isBinary) => this.#received(socket, data, isBinary));
    socket.on('close', () => this.#closed(socket));
    this.#startHeartbeat(socket);
    const tools = this.#catalog.all();
    this.#told = markOf(tools);
    this.send({ type: 'hello_ack', tools, session_meta: {}, protocol: PROTOCOL_VERSION });
    this.#reconcile(hello);
    this.#options.events.changed();
  }

  /** @returns false when nobody is connected, or the frame cannot be sent. */
  send(frame: BridgeFrame): boolean {
    if (!this.#socket || this.#socket.readyState !== this.#socket.OPEN) return false;
    try {
      this.#socket.send(encode(frame));
      return true;
    } catch (error) {
      this.#options.log.warn('frame not sent', { type: frame.type, error });
      return false;
    }
  }

  /** Hands a message over, now or after the next hello. */
  deliver(message: InboundMessage): void {
    const dropped = this.#inbound.add(message);
    if (dropped) this.#overflow(dropped.request_id);
    this.send(message);
  }

  /** Nobody waits for this message any more. */
  forget(turn: string): void {
    this.#inbound.remove(turn);
  }

  setTools(tools: readonly ToolSpec[]): void {
    this.#catalog.lend(tools);
    this.toolsChanged();
  }

  toolsChanged(): void {
    const tools = this.#catalog.all();
    const now = markOf(tools);
    // Without a connection the next `hello_ack` tells it.
    if (now !== this.#told && this.send({ type: 'tools_changed', tools })) this.#told = now;
  }

  get isStale(): boolean {
    return this.#given !== undefined && this.#given !== this.#told;
  }

  giveUp(): void {
    this.#given = this.#told;
  }

  answerTool(call: string, ok: boolean, content: string, envelope = false): void {
    this.#openCalls.delete(call);
    this.#sendResult(this.#results.keep(toolResult(call, ok, content, envelope)));
  }

  /** Idempotent. */
  close(): void {
    const socket = this.#socket;
    this.#drop();
    socket?.close(1001, 'the session ended');
  }

  #received(socket: WebSocket, data: unknown, isBinary: boolean): void {
    if (socket !== this.#socket) return;
    this.#heartbeat?.alive();
    const parsed = isBinary
      ? ({ ok: false, code: 'bad_frame', message: 'binary frames are not used' } as const)
      : parseChannelFrame(String(data));
    if (parsed.ok) this.#frame(parsed.frame);
    else if (parsed.code === 'unknown_type') this.#options.log.warn('frame ignored', { why: parsed.message });
    else this.#refuse(parsed.code, parsed.message);
  }

  /** Says why, and ends the connection; the channel comes back with a new hello. */
  #refuse(code: string, message: string): void {
    this.send({ type: 'error', code, message });
    this.#socket?.close(CloseCode.badFrame, 'bad frame');
  }

  #frame(frame: ChannelFrame): void {
    const { events } = this.#options;
    switch (frame.type) {
      case 'hello':
        return this.#refuse('bad_frame', 'this connection has said hello before');
      case 'inbound_written':
        if (this.#inbound.remove(frame.request_id)) events.written(frame.request_id);
        return;
      case 'tools_listed':
        this.#given = this.#told;
        return events.toolsListed();
      case 'tool_call':
        return this.#called(frame);
      case 'tool_cancel':
        if (this.#openCalls.delete(frame.call_id))
          events.report({ type: 'tool.cancel', call: frame.call_id });
        return;
      case 'permission_request':
        return events.asked(frame, this.#options.clock.now() - this.#attachedAt < repeatMs);
      case 'ping':
        this.send({ type: 'pong', ts: frame.ts });
        return;
      case 'pong':
        return;
      case 'error':
        this.#options.log.warn('the channel reports an error', { code: frame.code, words: frame.message });
        return;
      default:
        return frame satisfies never;
    }
  }

  /** One call is acted on once; a repeat after a reconnect gets the answer it missed. */
  #called(frame: Extract<ChannelFrame, { type: 'tool_call' }>): void {
    const known = this.#results.get(frame.call_id);
    if (known) return this.#sendResult(known);
    if (this.#openCalls.has(frame.call_id)) return;
    this.#openCalls.add(frame.call_id);
    this.#options.events.called({
      call: frame.call_id,
      tool: frame.tool,
      args: frame.args,
      ...(frame.tool_use_id !== undefined && { tool_use: frame.tool_use_id }),
    });
  }

  /** A result that cannot travel (too large) still has to end Claude's waiting. */
  #sendResult(result: ToolResult): void {
    if (this.send(result) || !this.connected) return;
    this.send(this.#results.keep(tooLarge(result.call_id)));
  }

  #reconcile(hello: Hello): void {
    this.verdicts.again();
    const waiting = new Set(hello.open_calls ?? []);
    for (const call of [...this.#openCalls]) {
      if (waiting.has(call)) continue;
      this.#openCalls.delete(call);
      this.#options.events.report({ type: 'tool.cancel', call });
    }
    for (const call of waiting) {
      const result = this.#results.get(call);
      if (result) this.#sendResult(result);
    }
    const seen = new Set(hello.seen ?? []);
    for (const message of [...this.#inbound.all()]) {
      if (!seen.has(message.request_id)) this.send(message);
      else if (this.#inbound.remove(message.request_id)) this.#options.events.written(message.request_id);
    }
  }

  #overflow(turn: string): void {
    this.#options.log.warn('inbound buffer full, oldest message dropped', { turn });
    this.#options.events.report({
      type: 'prompt.failed',
      turn,
      code: 'overflow',
      detail: `Claude Code is not connected and more than ${this.#options.inboundLimit} messages are waiting.`,
      retry: false,
    });
  }

  #startHeartbeat(socket: WebSocket): void {
    this.#heartbeat = new Heartbeat(this.#options.clock, {
      everyMs: PING_INTERVAL_MS,
      misses: PING_MISSES,
      ping: () => this.send({ type: 'ping', ts: this.#options.clock.wall() }),
      dead: () => {
        this.#options.log.warn('the channel stopped answering pings');
        socket.terminate();
      },
    });
    this.#heartbeat.start();
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#drop();
    this.#options.events.changed();
  }

  #drop(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = undefined;
    this.#socket = undefined;
  }
}
