// The providers of the configuration, and their tools by the names under which Claude calls them.
import { isDeepStrictEqual } from 'node:util';
import { statusTool } from '../../domain/policy/provider-grants.ts';
import { failed } from '../../domain/tools/tool-envelope.ts';
import type { ProviderDetail, ProviderView } from '../../domain/views/tools.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { bridgeProvider, type Provider, type ToolPermission } from '../../protocol/settings/provider.ts';
import type { ToolSpec } from '../../protocol/tool-spec.ts';
import { callTool } from './call-tool.ts';
import { ProviderHost, type ProviderHostOptions } from './provider-host.ts';
import type { OfferedTool } from './provider-tools.ts';
import { statusEnvelope, statusSpec } from './status-tool.ts';

export type RegistryOptions = Omit<ProviderHostOptions, 'provider'>;

/** Whether a session has the provider's tools, by its name. */
export type Wanted = (provider: string) => boolean;

export class ToolRegistry {
  readonly #options: RegistryOptions;
  #hosts: readonly ProviderHost[] = [];

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /**
   * From now on these are the providers; one whose entry is as before goes on.
   *
   * @param ms resolves when those that are new were tried, at the latest after so many milliseconds
   */
  async set(providers: readonly Provider[], ms: number): Promise<void> {
    const before = this.#hosts;
    this.#hosts = providers.map(
      (provider) =>
        before.find((host) => isDeepStrictEqual(host.provider, provider)) ??
        new ProviderHost({ ...this.#options, provider }),
    );
    const ends = new Map<string, Promise<void>>();
    for (const host of before) if (!this.#hosts.includes(host)) ends.set(host.provider.name, host.close());
    this.#options.toolsChanged();
    // What it held, a port or a lock, its successor may need.
    for (const host of this.#hosts)
      void Promise.resolve(ends.get(host.provider.name)).then(() => host.start());
    await Promise.all([...ends.values(), ...this.#hosts.map((host) => host.tried(ms))]);
  }

  views(): ProviderView[] {
    return this.#hosts.map(({ view }) => view);
  }

  /** Undefined when there is none of that name. */
  detail(name: string): ProviderDetail | undefined {
    const host = this.#host(name);
    if (!host) return undefined;
    const tools = host.tools.map(({ checkArguments: _, checkOutput: __, ...tool }) => tool);
    return { provider: host.view, tools, refused: [...host.refused], printed: host.printed.lines };
  }

  /** Those of all providers that are wanted, and the bridge's own. A name that two have is the first one's. */
  specs(isWanted: Wanted = () => true): ToolSpec[] {
    const hosts = this.#wanted(isWanted);
    if (hosts.length === 0) return [];
    const tools = hosts.flatMap((host) => host.tools.map(specOf));
    return [
      ...new Map([statusSpec, ...tools].toReversed().map((tool) => [tool.name, tool])).values(),
    ].toReversed();
  }

  /** Whose tool it is, what it may do and what it takes; undefined where no provider that is wanted has it. */
  find(
    tool: string,
    isWanted: Wanted = () => true,
  ):
    | { provider: string; permissions: readonly ToolPermission[]; schema?: Record<string, unknown> }
    | undefined {
    const hosts = this.#wanted(isWanted);
    if (tool === statusTool.name && hosts.length > 0)
      return { provider: bridgeProvider, permissions: statusTool.permissions };
    for (const { provider, tools } of hosts) {
      const found = tools.find(({ name }) => name === tool);
      if (found) return { provider: provider.name, permissions: found.permissions, schema: found.parameters };
    }
    return undefined;
  }

  /**
   * @param tool by either of its names
   * @param progressed gets how far it is, in words that may be shown
   * @returns always an envelope
   */
  async call(
    provider: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    progressed?: (words: string) => void,
  ): Promise<Envelope> {
    if (provider === bridgeProvider && tool === statusTool.name) return statusEnvelope(this.views());
    const host = this.#host(provider);
    if (!host) return failed('NO_SUCH_TOOL', `There is no provider ${provider} any more.`);
    const { clock, log } = this.#options;
    try {
      const envelope = await callTool(host, clock, tool, args, signal, progressed);
      if (envelope.error) log.info('a tool failed', { provider, tool, code: envelope.error.code });
      return envelope;
    } catch (error) {
      // A fault of ours: Claude hears that much, and the log the rest.
      log.error('a tool could not be run', { provider, tool, error });
      return failed('TOOL_FAILED', `The bridge could not run ${tool}.`);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }

  #wanted(isWanted: Wanted): ProviderHost[] {
    return this.#hosts.filter(({ provider }) => isWanted(provider.name));
  }

  #host(name: string): ProviderHost | undefined {
    return this.#hosts.find(({ provider }) => provider.name === name);
  }
}

const specOf = ({ name, description, parameters }: OfferedTool): ToolSpec => ({
  name,
  description,
  parameters,
});
