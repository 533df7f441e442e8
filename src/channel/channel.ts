// The parts of the channel server, wired. No process, no environment: those are main.ts.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Log } from '../base/log.ts';
import { never } from '../base/never.ts';
import type { Clock } from '../base/time/clock.ts';
import { McpServer } from '../mcp/mcp-server.ts';
import type { HelloAck } from '../protocol/wire/wire.ts';
import { type AppFrame, BridgeLink } from './bridge-link.ts';
import { OpenCalls } from './calls.ts';
import { Catalog } from './catalog.ts';
import { InboundWriter } from './notify.ts';
import { PermissionAsk, PermissionRelay } from './permissions.ts';
import type { Settings } from './settings.ts';
import type { Dial } from './wire-socket.ts';

export interface ChannelOptions {
  settings: Settings;
  clock: Clock;
  log: Log;
  pid: number;
}

/** Request ids in hello.seen: far more than a bridge has unconfirmed at any moment. */
const seenInHello = 500;

export class Channel {
  readonly #options: ChannelOptions;
  readonly #catalog: Catalog;
  readonly #calls: OpenCalls;
  readonly #permissions: PermissionRelay;
  readonly #inbound: InboundWriter;
  readonly #mcp: McpServer;
  #link: BridgeLink | undefined;
  /** The last answer to tools/list. */
  #listed: { count: number; revision: number } | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { clock, log, settings } = options;
    this.#catalog = new Catalog(clock);
    this.#calls = new OpenCalls({
      clock,
      offlineMs: settings.offlineMs,
      send: (frame) => this.#link?.send(frame) ?? false,
    });
    this.#mcp = new McpServer({
      offer: this.#catalog,
      clock,
      log,
      experimental: { 'claude/channel': {}, 'claude/channel/permission': {} },
      call: (request) => this.#calls.call(request),
      listed: (count, revision) => {
        this.#listed = { count, revision };
        this.#compareLists();
      },
    });
    this.#permissions = new PermissionRelay({
      log,
      send: (frame) => this.#link?.send(frame) ?? false,
      reply: (verdict) => this.#mcp.notify('notifications/claude/channel/permission', verdict),
    });
    this.#mcp.hear(PermissionAsk, (ask) => this.#permissions.ask(ask));
    this.#inbound = new InboundWriter({
      log,
      write: async (event) => {
        // What comes before Claude Code has finished its handshake is lost.
        await this.#mcp.initialized;
        await this.#mcp.notify('notifications/claude/channel', { ...event });
      },
      confirm: (frame) => this.#link?.send(frame),
    });
    if (settings.kind === 'unlinked') this.#giveUp(settings.reason);
  }

  /** Starts to serve MCP on `transport`. */
  serve(transport: Transport): Promise<void> {
    return this.#mcp.connect(transport);
  }

  /** Starts the link to the bridge; does nothing when the environment names none. */
  link(dial: Dial): void {
    const { clock, log, pid, settings } = this.#options;
    if (settings.kind === 'unlinked' || this.#link) return;
    this.#link = new BridgeLink({
      settings: settings.link,
      dial,
      clock,
      log,
      pid,
      handlers: {
        hello: () => ({ open_calls: this.#calls.ids(), seen: this.#inbound.seen(seenInHello) }),
        ready: (ack) => this.#online(ack),
        frame: (frame) => this.#take(frame),
        down: () => this.#calls.offline(),
        stopped: (reason) => this.#giveUp(reason),
      },
    });
    this.#link.start();
  }

  /** Ends the link and the MCP server. May be called again. */
  async close(): Promise<void> {
    this.#link?.close();
    this.#calls.stop('The session ends.');
    await this.#mcp.close();
  }

  #online(ack: HelloAck): void {
    this.#catalog.set(ack.tools);
    this.#compareLists();
    this.#permissions.online();
    this.#calls.online();
  }

  #take(frame: AppFrame): void {
    switch (frame.type) {
      case 'inbound_message':
        return void this.#inbound.accept(frame);
      case 'permission_reply':
        return void this.#permissions.answer(frame);
      case 'tool_result':
        if (!this.#calls.result(frame)) {
          this.#options.log.debug('a result came for a call that nobody waits for', {
            call_id: frame.call_id,
          });
        }
        return;
      case 'tools_changed':
        if (this.#catalog.set(frame.tools)) this.#compareLists();
        return;
      default:
        return never(frame);
    }
  }

  /** Claude has read the newest catalog: the bridge waits for that before it sends a prompt. Or it has read an
   *  older one: it is told to read again. One that has read none yet will come by itself. */
  #compareLists(): void {
    if (!this.#listed) return;
    if (this.#listed.revision === this.#catalog.revision) {
      this.#link?.send({ type: 'tools_listed', count: this.#listed.count });
      return;
    }
    this.#mcp.toolsChanged().catch((error: unknown) => {
      this.#options.log.warn('Claude Code could not be told about new tools', { error });
    });
  }

  #giveUp(reason: string): void {
    this.#catalog.settle();
    this.#calls.stop(reason);
  }
}
