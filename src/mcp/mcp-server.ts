// The MCP face towards Claude Code: the tools that are lent to it, and its calls of them.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../base/log.ts';
import type { Cancel, Clock } from '../base/time/clock.ts';
import { PROTOCOL_VERSION } from '../protocol/wire/wire.ts';
import type { CallOutcome, CallRequest } from './call.ts';
import { instructions } from './instructions.ts';
import { type ToolList, toMcpResult } from './tools.ts';

/** What there is to be called. */
export interface Offer {
  readonly list: ToolList;
  /** Rises when the list is another one. */
  readonly revision: number;
  /** Resolves when the list is known, after `ms` milliseconds at the latest. */
  known(ms: number): Promise<void>;
  /** The lender's own name of a tool that Claude called. An unknown name is the lender's to refuse. */
  originalName(name: string): string;
}

export interface McpServerOptions {
  offer: Offer;
  clock: Clock;
  log: Log;
  /** Beside tools: see MCP's `capabilities.experimental`. */
  experimental?: Record<string, object>;
  call(request: CallRequest): Promise<CallOutcome>;
  /** Claude Code was told this many tools, all of `revision`. */
  listed?(count: number, revision: number): void;
}

/** Milliseconds that `tools/list` waits for what is offered. */
const offerWaitMs = 2000;
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
  /** Resolves when Claude Code has finished its handshake. */
  readonly initialized: Promise<void>;

  constructor(options: McpServerOptions) {
    this.#options = options;
    const { experimental, log } = options;
    // The low-level class: tools come and go at run time with schemas of their own.
    // SDK v1 negotiates 2025-11-25 at most; Claude Code registers no channel that speaks a later revision.
    this.#server = new Server(
      { name: 'synthesis', version: `${PROTOCOL_VERSION}.0.0` },
      {
        capabilities: { ...(experimental && { experimental }), tools: { listChanged: true } },
        instructions,
        jsonSchemaValidator: noFormValidator,
        debouncedNotificationMethods: ['notifications/tools/list_changed'],
      },
    );
    this.#server.onerror = (error) => log.warn('MCP', { error: error.message });
    this.initialized = new Promise((resolve) => {
      this.#server.oninitialized = resolve;
    });
    this.#handleTools();
  }

  /** Hears notifications of Claude Code. */
  get hear(): Server['setNotificationHandler'] {
    return this.#server.setNotificationHandler.bind(this.#server);
  }

  connect(transport: Transport): Promise<void> {
    return this.#server.connect(transport);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Resolves when the transport has taken it. */
  notify(method: string, params: Record<string, unknown>): Promise<void> {
    return this.#server.notification({ method, params });
  }

  /** Tells Claude Code to list the tools again. */
  toolsChanged(): Promise<void> {
    return this.#server.sendToolListChanged();
  }

  #handleTools(): void {
    const { call, offer, clock, listed } = this.#options;
    this.#server.setRequestHandler(ListToolsRequestSchema, async () => {
      await offer.known(offerWaitMs);
      const { tools } = offer.list;
      const { revision } = offer;
      // After the SDK has written the answer, which it does in this tick's microtasks.
      setImmediate(() => listed?.(tools.length, revision));
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
          id: extra.requestId,
          tool: offer.originalName(params.name),
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
