// Whether the running bridge has a vault.
import type { ProviderView } from '../../../../domain/views/tools.ts';
import { CliError } from '../../../cli-error.ts';
import { callBridge } from '../../../client/control-client.ts';
import { lookMs } from '../../tools/known.ts';

export type BridgeView =
  | { kind: 'none' }
  | { kind: 'without' }
  | { kind: 'with'; view: ProviderView }
  /** It runs, and does not answer. */
  | { kind: 'silent'; error: CliError };

/** @param provider as a bridge calls the vault @throws UnsafePathError */
export async function bridgeView(state: string, provider: string): Promise<BridgeView> {
  try {
    const views = await callBridge(state, 'tools.list', {}, { timeoutMs: lookMs });
    const view = views.find((each) => each.provider === provider);
    return view ? { kind: 'with', view } : { kind: 'without' };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.exit === 'not_running' ? { kind: 'none' } : { kind: 'silent', error };
  }
}
