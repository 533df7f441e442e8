// An operator at a shell: the program as it is called, a real control socket behind it, a configuration of its own.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { OperatorError } from '../../../src/bridge/app/operator/operator-error.ts';
import type { ToolsDesk } from '../../../src/bridge/control/control-ports.ts';
import { main } from '../../../src/cli/main.ts';
import type { ProviderDetail, ProviderView, ToolView } from '../../../src/domain/views/tools.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import type { Provider } from '../../../src/protocol/settings/provider.ts';
import { type VaultChoice, vaultProviderAt, vaultsOf } from '../../../src/protocol/settings/vault.ts';
import { SmallControl } from '../../bridge/control/small-control.ts';

/** Everything that a terminal may not be sent. */
export const forbidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

export const viewOf = (provider: string, about: Partial<ProviderView> = {}): ProviderView => ({
  provider,
  kind: 'command',
  status: 'healthy',
  reason: null,
  since: new Date(Date.now() - 180_000).toISOString(),
  last_probe: new Date(Date.now() - 120_000).toISOString(),
  tools: 1,
  refused: 0,
  running: 0,
  waiting: 0,
  ...about,
});

export const toolOf = (name: string, about: Partial<ToolView> = {}): ToolView => ({
  name,
  tool: name,
  description: '',
  permissions: [],
  idempotent: false,
  parameters: { type: 'object' },
  ...about,
});

export const healthyEnvelope = (data: Envelope['data'], about: Partial<Envelope> = {}): Envelope => ({
  status: 'healthy',
  data,
  error: null,
  meta: { query_time_ms: 1, chunks_scanned: null, index_version: null, vault_mtime: null },
  ...about,
});

/** Stands for the bridge's own: it tells what a test says, and writes down what it is asked for. */
export class Desk implements ToolsDesk {
  views: ProviderView[] = [];
  readonly details = new Map<string, ProviderDetail>();
  readonly sets: Provider[][] = [];
  /** What came with each of them. */
  readonly choices: (VaultChoice | undefined)[] = [];
  readonly calls: { provider: string; tool: string; args: Record<string, unknown> }[] = [];
  /** How a provider is that a `set` brings. */
  arrives: (provider: Provider) => ProviderView = ({ name }) => viewOf(name);
  answer: (signal: AbortSignal) => Promise<Envelope> = async () => healthyEnvelope(null);

  list = (): ProviderView[] => this.views;

  inspect = (provider: string): ProviderDetail => {
    const detail = this.details.get(provider);
    if (detail) return detail;
    const view = this.views.find((each) => each.provider === provider);
    if (!view) throw noSuchProvider(provider);
    return { provider: view, tools: [], refused: [], printed: [] };
  };

  call: ToolsDesk['call'] = async (provider, tool, args, signal) => {
    if (!this.views.some((each) => each.provider === provider)) throw noSuchProvider(provider);
    this.calls.push({ provider, tool, args });
    return this.answer(signal);
  };

  set = async (providers: Provider[], vaults?: VaultChoice): Promise<ProviderView[]> => {
    this.sets.push(providers);
    this.choices.push(vaults);
    const before = this.views;
    const own = providers.map(
      (each) => before.find(({ provider }) => provider === each.name) ?? this.arrives(each),
    );
    const notes = (vaults ? vaultsOf(vaults) : []).map((_, at) => viewOf(vaultProviderAt(at)));
    this.views = [...notes, ...own];
    return this.views;
  };
}

const noSuchProvider = (provider: string) =>
  new OperatorError('no_such_provider', `There is no provider "${provider}".`, 'synthesis tools list');

export interface Run {
  code: number;
  out: string;
  err: string;
}

export class World implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), 'tools-'));
  readonly config = join(this.home, 'config.json');
  readonly desk = new Desk();
  /** Environment of the shell, besides. */
  readonly env: Record<string, string> = {};
  #control: SmallControl | undefined;

  static async withBridge(...views: ProviderView[]): Promise<World> {
    const world = new World();
    world.desk.views = views;
    world.#control = await SmallControl.start();
    world.refresh();
    return world;
  }

  /** After a method of the desk was replaced. */
  refresh(): void {
    if (this.#control) Object.assign(this.#control.tools, this.desk);
  }

  get state(): string {
    return this.#control?.dir ?? join(this.home, 'state');
  }

  /** The configuration file as it is; undefined without one. */
  get written(): { providers?: Record<string, unknown>[]; [key: string]: unknown } | undefined {
    return existsSync(this.config) ? JSON.parse(readFileSync(this.config, 'utf8')) : undefined;
  }

  write(layer: object): void {
    mkdirSync(this.home, { recursive: true });
    writeFileSync(this.config, JSON.stringify(layer));
  }

  /** `synthesis <words>`, as `bin/synthesis.js` calls it. */
  run(...words: string[]): Promise<Run> {
    const at = words.includes('--') ? words.indexOf('--') : words.length;
    const argv = [...words.slice(0, at), '--state-dir', this.state, ...words.slice(at)];
    return this.printed(async () => {
      await main(['node', 'synthesis', ...argv]);
      return Number(process.exitCode ?? 0);
    });
  }

  /** All that is written to the terminal while `work` runs in the environment of this operator. */
  async printed(work: () => Promise<number>): Promise<Run> {
    const written = { out: '', err: '' };
    const streams = [process.stdout, process.stderr] as const;
    const before = streams.map((stream) => stream.listeners('error'));
    vi.stubEnv('SYNTHESIS_HOME', this.home);
    for (const [name, value] of Object.entries(this.env)) vi.stubEnv(name, value);
    const taking = (name: keyof typeof written) => (text: string | Uint8Array) => {
      written[name] += String(text);
      return true;
    };
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(taking('out')),
      vi.spyOn(process.stderr, 'write').mockImplementation(taking('err')),
    ];
    try {
      return { code: await work(), ...written };
    } finally {
      process.exitCode = undefined;
      for (const spy of spies) spy.mockRestore();
      vi.unstubAllEnvs();
      // Each `main` adds listeners for the whole life of the process that it is the only one of.
      for (const [at, stream] of streams.entries())
        for (const listener of stream.listeners('error'))
          if (!before[at]?.includes(listener)) stream.off('error', listener as () => void);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control?.[Symbol.asyncDispose]();
    rmSync(this.home, { recursive: true, force: true });
  }
}
