// The MCP face towards Claude Code: capabilities, tools, and the two channel notifications.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type Behavior, PROTOCOL_VERSION } from '../protocol/wire.ts';
import type { CallOutcome, CallRequest } from './calls.ts';
import type { Catalog } from './catalog.ts';
import { instructions } from './instructions.ts';
import type { ChannelEvent } from './notify.ts';
import { PermissionAsk } from './permissions.ts';
import { toMcpResult } from './tools.ts';

export interface McpServerOptions {
  catalog: Catalog;
  clock: Clock;
  log: Log;
  call(request: CallRequest): Promise<CallOutcome>;
  ask(notification: PermissionAsk): void;
  /** Claude Code has read this many tools, all of `revision`. */
  listed(count: number, revision: number): void;
}

/** Milliseconds that `tools/list` waits for the bridge's catalog. */
const catalogWaitMs = 2000;
/** Milliseconds between signs of progress: Claude Code drops a call after 30 min of silence (documented). */
const progressMs = 5 * 60_000;

/** Nothing here validates elicited forms, so the SDK need not build its JSON Schema compiler at start. */
const noFormValidator = {
  getValidator: () => () => {
    throw new Error('elicitation is not used');
  },
};

export class McpServer {
  readonly #options: McpServerOptions;
  readonly #server: Server;
  readonly #initialized = Promise.withResolvers<void>();

  constructor(options: McpServerOptions) {
    this.#options = options;
    // The low-level class: tools come and go at run time with schemas of their own.
    // SDK v1 negotiates 2025-11-25 at most; Claude Code registers no channel that speaks a later revision.
    this.#server = new Server(
      { name: 'synthesis', version: `${PROTOCOL_VERSION}.0.0` },
      {
        capabilities: {
          experimental: { 'claude/channel': {}, 'claude/channel/permission': {} },
          tools: { listChanged: true },
        },
        instructions,
        jsonSchemaValidator: noFormValidator,
        debouncedNotificationMethods: ['notifications/tools/list_changed'],
      },
    );
    this.#server.onerror = (error) => options.log.warn('MCP', { error: error.message });
    this.#server.oninitialized = () => {
      this.#initialized.resolve();
    };
    this.#handleTools();
    this.#server.setNotificationHandler(PermissionAsk, (ask) => options.ask(ask));
  }

  connect(transport: Transport): Promise<void> {
    return this.#server.connect(transport);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Resolves when the event is in Claude's stdin; waits until Claude Code has finished its handshake. */
  async writeEvent(event: ChannelEvent): Promise<void> {
    await this.#initialized.promise;
    await this.#server.notification({ method: 'notifications/claude/channel', params: { ...event } });
  }

  async writeVerdict(verdict: { request_id: string; behavior: Behavior }): Promise<void> {
    await this.#server.notification({ method: 'notifications/claude/channel/permission', params: verdict });
  }

  /** Tells Claude Code to list the tools again. */
  toolsChanged(): Promise<void> {
    return this.#server.sendToolListChanged();
  }

  #handleTools(): void {
    const { call, catalog, clock, listed } = this.#options;
    this.#server.setRequestHandler(ListToolsRequestSchema, async () => {
      await catalog.known(catalogWaitMs);
      const { tools } = catalog.list;
      const { revision } = catalog;
      // After the SDK has written the answer, which it does in this tick's microtasks.
      setImmediate(() => listed(tools.length, revision));
      return { tools };
    });
    this.#server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const toolUseId = params._meta?.['claudecode/toolUseId'];
      const token = params._meta?.progressToken;
      const stop = repeat(clock, progressMs, (round) => {
        if (token === undefined) return;
        const progress = { progressToken: token, progress: round, message: 'still waiting for the result' };
        // Without a transport there is nobody to tell; the call itself ends on its own.
        extra.sendNotification({ method: 'notifications/progress', params: progress }).catch(() => {});
      });
      try {
        const outcome = await call({
          tool: catalog.originalName(params.name),
          args: params.arguments ?? {},
          toolUseId: typeof toolUseId === 'string' ? toolUseId : undefined,
          signal: extra.signal,
        });
        return toMcpResult(outcome);
      } finally {
        stop();
      }
    });
  }
}

function repeat(clock: Clock, everyMs: number, act: (round: number) => void): Cancel {
  let round = 0;
  let cancel: Cancel = () => {};
  const next = () => {
    cancel = clock.after(everyMs, () => {
      round += 1;
      act(round);
      next();
    });
  };
  next();
  return () => cancel();
}
