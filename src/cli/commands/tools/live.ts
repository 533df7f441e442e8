// A bridge that runs takes changed providers over without a restart.
import type { ProviderView } from '../../../domain/views/tools.ts';
import type { Provider } from '../../../protocol/settings/provider.ts';
import type { VaultChoice } from '../../../protocol/settings/vault.ts';
import { CliError } from '../../cli-error.ts';
import { connectBridge } from '../../client/control-client.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { lookMs } from './known.ts';

/** Milliseconds in which those that are new are tried; `npx` may load one first. The bridge has deadlines of its own. */
const setMs = 180_000;

/**
 * Looks for a bridge before anything is changed, so that an unsafe state folder changes nothing.
 * @returns what `use` returns; it gets undefined where no bridge runs
 */
export async function withLive<T>(
  state: string,
  use: (bridge: RpcConnection | undefined) => Promise<T>,
): Promise<T> {
  const bridge = await connected(state);
  try {
    return await use(bridge);
  } finally {
    bridge?.close();
  }
}

async function connected(state: string): Promise<RpcConnection | undefined> {
  try {
    return await connectBridge(state);
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return undefined;
    throw error;
  }
}

export type Applied =
  | { ok: true; views: readonly ProviderView[]; words: string | null }
  /** The bridge goes on with what it had. */
  | { ok: false; problem: string };

/**
 * Never rejects for what the bridge says: the configuration is written by then.
 * @param name the provider that is meant; others may change, too, where file and bridge differed
 * @param vaults of which sessions; as the bridge has them when it is left out
 */
export async function apply(
  bridge: RpcConnection,
  providers: Provider[],
  name: string,
  vaults?: VaultChoice,
): Promise<Applied> {
  try {
    const before = namesIn(await bridge.call('tools.list', {}, { timeoutMs: lookMs }));
    const views = await bridge.call('tools.set', { providers, vaults }, { timeoutMs: setMs });
    return { ok: true, views, words: besides(name, before, namesIn(views)) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ok: false, problem: `${error.message} ${error.suggestion}`.trim() };
  }
}

const namesIn = (views: readonly ProviderView[]): string[] => views.map(({ provider }) => provider);

function besides(name: string, before: readonly string[], after: readonly string[]): string | null {
  const ended = before.filter((each) => each !== name && !after.includes(each));
  const started = after.filter((each) => each !== name && !before.includes(each));
  const parts = [
    ...(started.length > 0 ? [`also started ${started.join(', ')}`] : []),
    ...(ended.length > 0 ? [`also ended ${ended.join(', ')}, which the file does not name`] : []),
  ];
  return parts.length === 0 ? null : `The bridge follows the file: it has ${parts.join(', and ')}.`;
}
