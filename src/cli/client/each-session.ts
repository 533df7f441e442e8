import type { SessionDetail } from '../../domain/views/control.ts';
import { chatName } from '../../domain/views/session/chat-label.ts';
import { CliError } from '../cli-error.ts';
import { type ExitName, exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';
import { withBridge } from './control-client.ts';
import type { RpcConnection } from './rpc-connection.ts';

export interface Deed {
  /** Looks at one before anything is done to any; whoever throws keeps all of it from being done. */
  allow?(ref: string, session: SessionDetail): Promise<void> | void;
  act(bridge: RpcConnection, ref: string): Promise<void>;
}

/** Milliseconds. */
const patience = { timeoutMs: 10_000 };

/** Whether a session is named whole, and not by a prefix. */
export const isWhole = (ref: string, { key, id, label }: SessionDetail): boolean =>
  ref === key || ref === id || ref.normalize('NFC') === (label ?? chatName(key));

/**
 * One command for several sessions. All are found before anything is done; one that fails then keeps no other back.
 * @returns exit code, the highest of all
 * @throws CliError where there is one session, or one of them is not found
 */
export const eachSession = (state: string, refs: readonly string[], { allow, act }: Deed): Promise<number> =>
  withBridge(state, async (bridge) => {
    let worst: number = exitCodes.ok;
    for (const ref of await found(bridge, refs, allow)) {
      try {
        await act(bridge, ref);
      } catch (error) {
        if (refs.length === 1) throw error;
        worst = Math.max(worst, exitCodes[tell(ref, error)]);
      }
    }
    return worst;
  });

/** What is named, each once: by its id and its key it is the same. @throws CliError when one is not found */
export async function found(
  bridge: RpcConnection,
  refs: readonly string[],
  allow?: Deed['allow'],
): Promise<string[]> {
  if (!allow && refs.length === 1) return [...refs];
  const named = new Map<string, string>();
  for (const session of refs) {
    const detail = await bridge.call('session.inspect', { session }, patience);
    await allow?.(session, detail);
    if (!named.has(detail.key)) named.set(detail.key, session);
  }
  return [...named.values()];
}

/** The line of one of several that failed. @throws what is no CliError */
export function tell(ref: string, error: unknown): ExitName {
  if (!(error instanceof CliError)) throw error;
  say(safeLine(`${ref}: ${error.message} ${error.suggestion}`));
  return error.exit;
}
