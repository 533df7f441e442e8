// One connection to a provider: handshake, tools, probes and calls. It ends once; the provider makes another.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ListToolsResultSchema,
  ResultSchema,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { OwnHealth } from '../../domain/provider-health.ts';
import { ToolStatus } from '../../protocol/envelope.ts';

export interface LinkEvents {
  /** It tells that its tools are others now. */
  toolsChanged(): void;
  /** It sent what is no message of the protocol. */
  garbled(): void;
  /** A call goes on. */
  progressed?(call: string, words: string): void;
}

/** Most pages of `tools/list` that are read, and most tools. */
const mostPages = 50;
const mostTools = 500;

const Said = z.object({ status: ToolStatus, reason: z.string().max(2_000) });

/** What the SDK would check is checked by `result.ts`, bounded and without generated code. */
const noValidator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

export class ProviderLink {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /**
   * @param ms for the whole handshake
   * @throws Error in words, when it does not answer or speaks something else
   */
  static async open(
    transport: Transport,
    version: string,
    ms: number,
    events: LinkEvents,
  ): Promise<ProviderLink> {
    const client = new Client({ name: 'synthesis', version }, { jsonSchemaValidator: noValidator });
    client.onerror = () => events.garbled();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.toolsChanged());
    await client.connect(transport, { timeout: ms });
    return new ProviderLink(client);
  }

  /** @throws Error when it does not answer in time */
  async tools(ms: number): Promise<Tool[]> {
    const all: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && all.length < mostTools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const list = await this.#client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
        timeout: ms,
      });
      all.push(...list.tools);
      cursor = list.nextCursor;
      if (cursor === undefined) break;
    }
    return all.slice(0, mostTools);
  }

  /** @returns what it says of itself, if anything. @throws Error when it does not answer in time */
  async probe(ms: number): Promise<OwnHealth | undefined> {
    const { _meta } = await this.#client.request({ method: 'ping' }, ResultSchema, { timeout: ms });
    return Said.safeParse(_meta?.['synthesis/health']).data;
  }

  /** @throws McpError: a refusal, a timeout, a connection that ended */
  async call(name: string, args: Record<string, unknown>, ms: number, signal: AbortSignal): Promise<unknown> {
    return this.#client.request(
      { method: 'tools/call', params: { name, arguments: args } },
      CallToolResultSchema,
      {
        timeout: ms,
        signal,
      },
    );
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
