import type { Flags } from '../settings/flags.ts';
import type { McpServerEntry } from '../settings/settings.ts';
import {
  type askMethod,
  type ChannelPrompt,
  ChannelVerdict,
  channelMethod,
  channelPrompt,
  isChannel,
  verdictMethod,
} from './channel.ts';
import { McpServer } from './mcp-server.ts';

export interface McpHandlers {
  onChannelPrompt(prompt: ChannelPrompt): void;
  onVerdict(verdict: ChannelVerdict): void;
  log(line: string): void;
}

/** All MCP servers of a session, and which of them are channels. */
export class McpServers {
  readonly servers = new Map<string, McpServer>();
  readonly #flags: Flags;
  readonly #channelsAvailable: boolean;
  readonly #handlers: McpHandlers;

  constructor(
    entries: Map<string, McpServerEntry>,
    context: { env: NodeJS.ProcessEnv; cwd: string; flags: Flags; channelsAvailable: boolean },
    handlers: McpHandlers,
  ) {
    this.#flags = context.flags;
    this.#channelsAvailable = context.channelsAvailable;
    this.#handlers = handlers;
    for (const [name, entry] of entries) {
      const server = new McpServer(name, entry, context, {
        onNotification: (method, params) => this.#notified(server, method, params),
        onToolsListed: () => {},
        onExit: () => handlers.log(`  ⎿  MCP server ${name} disconnected`),
      });
      this.servers.set(name, server);
    }
  }

  startAll(): void {
    for (const server of this.servers.values()) void this.#start(server);
  }

  /** `/mcp reconnect NAME`: a dead server comes back only this way. */
  async reconnect(name: string): Promise<void> {
    const server = this.servers.get(name);
    if (!server) {
      this.#handlers.log(`● No MCP server named ${name}`);
      return;
    }
    await server.stop();
    if (await this.#start(server)) this.#handlers.log(`● Reconnected to ${name}.`);
  }

  /** Sends to every channel that can answer permissions. @returns their names. */
  relay(method: typeof askMethod | string, params: object): string[] {
    const able = [...this.servers.values()].filter(
      (server) =>
        server.connected && this.#isChannel(server) && 'claude/channel/permission' in server.experimental,
    );
    for (const server of able) server.notify(method, params);
    return able.map(({ name }) => name);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
  }

  async #start(server: McpServer): Promise<boolean> {
    try {
      await server.start();
      return true;
    } catch (error) {
      this.#handlers.log(`  ⎿  MCP server ${server.name} failed · ${String(error)}`);
      return false;
    }
  }

  #isChannel(server: McpServer): boolean {
    return this.#channelsAvailable && isChannel(server.name, server.experimental, this.#flags);
  }

  #notified(server: McpServer, method: string, params: unknown): void {
    if (!this.#isChannel(server)) return;
    if (method === channelMethod) {
      const prompt = channelPrompt(server.name, params);
      if (prompt) this.#handlers.onChannelPrompt(prompt);
    } else if (method === verdictMethod && 'claude/channel/permission' in server.experimental) {
      const parsed = ChannelVerdict.safeParse(params);
      if (parsed.success) this.#handlers.onVerdict(parsed.data);
    }
  }
}
