// One connection to a provider: handshake, tools, probes and calls. It ends once; the provider makes another.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ErrorCode,
  McpError,
  type Progress,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { OwnHealth } from '../../../domain/tools/provider-health.ts';
import { ToolStatus } from '../../../protocol/envelope.ts';
import type { ToldTool } from '../provider-tools.ts';
import type { ProviderTransport } from './transport.ts';

export interface LinkOptions {
  version: string;
  transport: ProviderTransport;
  /** It tells that its tools are others now. */
  toolsChanged(): void;
}

/** Most pages of `tools/list` that are read, and most tools. */
const mostPages = 50;
const mostTools = 500;

/** Every wait has a signal of ours; the SDK's own timers never fire. */
const forever = 2 ** 31 - 1;

const Said = z.object({ status: ToolStatus, reason: z.string().max(2_000) });
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
// Schemas are looked into by `checkSchema`: one that is bad costs its tool, not the whole list.
const Told = z.object({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z
    .object({ idempotentHint: z.unknown(), readOnlyHint: z.unknown(), destructiveHint: z.unknown() })
    .partial()
    .optional()
    .catch(undefined),
});

/** What the SDK would check is checked by `readResult`, bounded and without generated code. */
const noValidator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};

export class ProviderLink {
  readonly #client: Client;
  readonly #transport: ProviderTransport;

  constructor({ version, transport, toolsChanged }: LinkOptions) {
    this.#transport = transport;
    this.#client = new Client({ name: 'synthesis', version }, { jsonSchemaValidator: noValidator });
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  }

  /** @throws Error in words, when it speaks something else; the signal's reason */
  open(signal: AbortSignal): Promise<void> {
    return this.#client.connect(this.#transport, { timeout: forever, signal });
  }

  async tools(signal: AbortSignal): Promise<ToldTool[]> {
    const all: ToldTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && all.length < mostTools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const list = await this.#client.request({ method: 'tools/list', params }, Page, {
        timeout: forever,
        signal,
      });
      all.push(...list.tools.map(toldTool));
      cursor = list.nextCursor;
      if (cursor === undefined) break;
    }
    return all.slice(0, mostTools);
  }

  /** @returns what it says of itself, if anything */
  async probe(signal: AbortSignal): Promise<OwnHealth | undefined> {
    try {
      const options = { timeout: forever, signal };
      const { _meta } = await this.#client.request({ method: 'ping' }, ResultSchema, options);
      return Said.safeParse(_meta?.['synthesis/health']).data;
    } catch (error) {
      // Not every server knows `ping`: one that says so is there.
      if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return undefined;
      throw error;
    }
  }

  /**
   * @param signal aborts it here and, as a notification, at the provider
   * @param progressed gets what the provider tells of it meanwhile, as it comes; without it the provider is not asked to
   * @throws McpError: a refusal, a connection that ended; the signal's reason
   */
  call(
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    progressed?: (progress: Progress) => void,
  ): Promise<unknown> {
    const request = { method: 'tools/call' as const, params: { name, arguments: args } };
    const heard = progressed && { onprogress: progressed };
    return this.#client.request(request, ResultSchema, { timeout: forever, signal, ...heard });
  }

  /** Ends it in order, then by force. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  kill(): void {
    this.#transport.kill();
  }
}

function toldTool(told: unknown): ToldTool {
  const { data } = Told.safeParse(told);
  if (!data) return { name: '?', inputSchema: undefined, idempotent: false, changes: false };
  const { annotations: { idempotentHint, readOnlyHint, destructiveHint } = {}, ...tool } = data;
  return {
    ...tool,
    idempotent: idempotentHint === true || readOnlyHint === true,
    changes: readOnlyHint === false || destructiveHint === true,
  };
}
