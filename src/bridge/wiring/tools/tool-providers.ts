// The providers of tools, of which nothing is loaded before one is configured.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../base/log.ts';
import { systemClock } from '../../../base/time/clock.ts';
import { failed } from '../../../domain/tools/tool-envelope.ts';
import type { ProviderDetail, ProviderView } from '../../../domain/views/tools.ts';
import type { Envelope } from '../../../protocol/envelope.ts';
import type { Provider } from '../../../protocol/settings/provider.ts';
import type { VaultChoice } from '../../../protocol/settings/vault.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import { OperatorError } from '../../app/operator/operator-error.ts';
import type { ToolPort } from '../../app/ports.ts';
import type { LocalToolShelf, LocalTools } from '../../claude/options.ts';
import type { ToolsDesk } from '../../control/control-ports.ts';
import { vaultProgram } from '../../programs.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { ToolDesk } from '../../tools/tool-desk.ts';
import { VaultProviders } from './vault-providers.ts';

export interface ToolProvidersOptions {
  version: string;
  stateDir: string;
  log: Log;
  /** The bridge's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  dispatcher: Dispatcher;
  /** These have secrets from now on, too. */
  given(providers: readonly Provider[]): void;
}

interface Loaded {
  registry: ToolRegistry;
  desk: ToolDesk;
}

/** How long the start of the bridge, and a change of the configuration, wait for those that are new. Milliseconds. */
const startMs = 1_000;
const changeMs = 10_000;

export class ToolProviders implements ToolsDesk, ToolPort, LocalToolShelf {
  readonly #options: ToolProvidersOptions;
  readonly #watchers = new Set<() => void>();
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;
  #closed = false;
  #vaults = new VaultProviders({ profiles: [] }, '', '');

  constructor(options: ToolProvidersOptions) {
    this.#options = options;
  }

  /** Resolves when they are ready, at the latest after a second. One that is not goes on starting. */
  async start(config: VaultChoice & { providers: readonly Provider[] }): Promise<void> {
    this.#choose(config);
    const all = [...this.#vaults.all, ...config.providers];
    if (all.length === 0 && !lstatSync(this.#file, { throwIfNoEntry: false })) return;
    await (await this.#load()).registry.set(all, startMs);
  }

  list(): ProviderView[] {
    return this.#loaded?.registry.views() ?? [];
  }

  inspect(provider: string): ProviderDetail {
    const detail = this.#loaded?.registry.detail(provider);
    if (!detail) throw this.#unknown(provider);
    return detail;
  }

  async call(
    provider: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Envelope> {
    this.inspect(provider);
    const envelope = await this.#loaded?.registry.call(provider, tool, args, signal);
    return envelope ?? failed('NO_SUCH_TOOL', `There is no provider ${provider} any more.`);
  }

  async set(providers: readonly Provider[], vaults?: VaultChoice): Promise<ProviderView[]> {
    if (vaults) this.#choose(vaults);
    this.#options.given(providers);
    const all = [...this.#vaults.all, ...providers];
    if (all.length === 0 && !this.#loaded) return [];
    const { registry } = await this.#load();
    if (this.#closed)
      throw new OperatorError('shutting_down', 'The bridge stops.', 'Nothing was changed here.');
    await registry.set(all, changeMs);
    return this.list();
  }

  of(key: string): LocalTools {
    const isWanted = (provider: string) => this.#vaults.isFor(key, provider);
    return {
      specs: () => this.#loaded?.registry.specs(isWanted) ?? [],
      find: (tool) => this.#loaded?.registry.find(tool, isWanted),
    };
  }

  subscribe(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  run(...call: Parameters<ToolPort['run']>): void {
    this.#loaded?.desk.run(...call);
  }

  cancel(call: string): void {
    this.#loaded?.desk.cancel(call);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#loaded?.desk.close();
    await this.#loaded?.registry.close();
  }

  #choose(choice: VaultChoice): void {
    this.#vaults = new VaultProviders(choice, vaultProgram, this.#options.stateDir);
  }

  /** Which of their programs run: what a killed bridge has left is ended first. */
  get #file(): string {
    return join(this.#options.stateDir, 'providers.json');
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#import();
    return this.#loading;
  }

  async #import(): Promise<Loaded> {
    const { version, log, env, dispatcher } = this.#options;
    const [{ ToolRegistry }, { ToolDesk }, { transportOpener }, { ProcessGroups }] = await Promise.all([
      import('../../tools/registry.ts'),
      import('../../tools/tool-desk.ts'),
      import('../../tools/link/open-transport.ts'),
      import('../../tools/link/process-groups.ts'),
    ]);
    const groups = new ProcessGroups(this.#file, log);
    const ended = groups.endLeftovers();
    if (ended > 0) log.warn('providers of the bridge before were still there, and were ended', { ended });
    const registry = new ToolRegistry({
      version,
      clock: systemClock,
      log,
      open: transportOpener({ clock: systemClock, env, groups }),
      healthChanged: ({ provider, status, reason }) =>
        dispatcher.record({ type: 'bridge.provider', provider, status, reason }),
      toolsChanged: () => {
        for (const changed of [...this.#watchers]) changed();
      },
    });
    const desk = new ToolDesk(registry, (key, news) => void dispatcher.dispatch(key, news));
    this.#loaded = { registry, desk };
    return this.#loaded;
  }

  #unknown(provider: string): OperatorError {
    const known = this.list().map(({ provider: name }) => name);
    const all = known.length > 0 ? `There are: ${known.join(', ')}.` : '`synthesis tools add` adds one.';
    return new OperatorError('no_such_provider', `There is no provider "${provider}".`, all);
  }
}
