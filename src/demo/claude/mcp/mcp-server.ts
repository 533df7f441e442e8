import { z } from 'zod';
import { systemClock } from '../../../base/time/clock.ts';
import { Pending } from '../../../base/waiting/pending.ts';
import type { McpServerEntry } from '../settings/settings.ts';
import { spawnMcpChild } from './mcp-child.ts';
import type { McpConnection } from './mcp-connection.ts';
import { openMcpHttp } from './mcp-http.ts';

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
type Message = z.infer<typeof Message>;

const Initialized = z.looseObject({
  capabilities: z.looseObject({ experimental: z.record(z.string(), z.unknown()).optional() }),
});
const ToolList = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
});
const CallResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type CallResult = z.infer<typeof CallResult>;

/** Milliseconds a server may take to start (`MCP_TIMEOUT`, documented default). */
const startMs = 30_000;
/** Milliseconds for the answer to the probe for the newer protocol. */
const probeMs = 300;
/** Milliseconds one call may take (`MCP_TOOL_TIMEOUT`, documented as about 28 hours). */
const callMs = 100_000_000;

export interface McpEvents {
  onNotification(method: string, params: unknown): void;
  onToolsListed(): void;
  onExit(): void;
}

/** One MCP server as Claude Code holds it: started once, never restarted by itself. */
export class McpServer {
  readonly name: string;
  readonly #entry: McpServerEntry;
  readonly #env: NodeJS.ProcessEnv;
  readonly #cwd: string;
  readonly #events: McpEvents;
  readonly #pending = new Pending<unknown>(systemClock);
  #child: McpConnection | undefined;
  #nextId = 0;
  #tools: string[] = [];
  #listed = false;
  #experimental: Record<string, unknown> = {};

  constructor(
    name: string,
    entry: McpServerEntry,
    context: { env: NodeJS.ProcessEnv; cwd: string },
    events: McpEvents,
  ) {
    this.name = name;
    this.#entry = entry;
    this.#env = context.env;
    this.#cwd = context.cwd;
    this.#events = events;
  }

  get connected(): boolean {
    return this.#child !== undefined && this.#listed;
  }

  /** Names without the `mcp__server__` prefix. They stay listed after the server has died. */
  get tools(): readonly string[] {
    return this.#tools;
  }

  get experimental(): Record<string, unknown> {
    return this.#experimental;
  }

  /** Starts a child and shakes hands. @throws when it does not come up. */
  async start(): Promise<void> {
    const listener = {
      onMessage: (message: unknown) => this.#receive(message),
      onExit: () => this.#exited(child),
    };
    const child: McpConnection =
      this.#entry.type === 'http'
        ? openMcpHttp(this.#entry, listener)
        : spawnMcpChild(this.#entry, { ...listener, env: this.#env, cwd: this.#cwd });
    this.#child = child;
    await this.#request('server/discover', {}, probeMs).catch(() => {});
    const hello = await this.#request(
      'initialize',
      {
        protocolVersion: '2025-11-25',
        capabilities: { roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
        clientInfo: { name: 'claude-code', version: '2.1.332' },
      },
      startMs,
    );
    this.#experimental = Initialized.parse(hello).capabilities.experimental ?? {};
    this.notify('notifications/initialized', {});
    await this.#listTools();
  }

  notify(method: string, params: object): void {
    this.#child?.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * Calls a tool. Aborting `signal` tells the server and rejects.
   * @throws Error with the text the model would see, when the server died or took too long.
   */
  async call(
    tool: string,
    args: Record<string, unknown>,
    toolUseId: string,
    signal: AbortSignal,
  ): Promise<CallResult> {
    const ms = this.#entry.timeout ?? callMs;
    const id = this.#nextId;
    const params = {
      name: tool,
      arguments: args,
      _meta: { progressToken: id, 'claudecode/toolUseId': toolUseId },
    };
    const cancel = (reason: string) => this.notify('notifications/cancelled', { requestId: id, reason });
    const onAbort = () => {
      cancel('AbortError: user-cancel');
      this.#pending.fail(String(id), new Error('user-cancel'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return CallResult.parse(await this.#request('tools/call', params, ms));
    } catch (error) {
      if (error instanceof Error && error.name === 'PendingError' && this.#child) {
        cancel('SdkError: Request timed out');
        throw new Error(`MCP server "${this.name}" tool "${tool}" timed out after ${ms / 1000}s`);
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#pending.closeAll('Connection closed');
    await child?.stop();
  }

  #request(method: string, params: object, ms: number): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    if (!this.#child) return Promise.reject(new Error('Connection closed'));
    const answer = this.#pending.open(String(id), ms);
    this.#child.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  async #listTools(): Promise<void> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = ToolList.parse(await this.#request('tools/list', cursor ? { cursor } : {}, startMs));
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor);
    this.#tools = names;
    this.#listed = true;
    this.#events.onToolsListed();
  }

  #receive(raw: unknown): void {
    const parsed = Message.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.method === undefined) this.#answered(message);
    else if (message.id !== undefined) this.#serve(message.id, message.method);
    else if (message.method === 'notifications/tools/list_changed') this.#listTools().catch(() => {});
    else this.#events.onNotification(message.method, message.params);
  }

  #answered({ id, result, error }: Message): void {
    const key = String(id);
    if (error) this.#pending.fail(key, new Error(`MCP error ${error.code}: ${error.message}`));
    else this.#pending.settle(key, result);
  }

  /** Requests of the server to its client. */
  #serve(id: string | number, method: string): void {
    const reply = (body: object) => this.#child?.send({ jsonrpc: '2.0', id, ...body });
    if (method === 'ping') reply({ result: {} });
    else if (method === 'roots/list')
      reply({ result: { roots: [{ uri: `file://${this.#cwd}`, name: 'cwd' }] } });
    else if (method === 'elicitation/create') reply({ result: { action: 'decline' } });
    else reply({ error: { code: -32601, message: `Method not found: ${method}` } });
  }

  #exited(child: McpConnection): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const key of this.#pending.keys()) this.#pending.fail(key, new Error('Connection closed'));
    this.#events.onExit();
  }
}
