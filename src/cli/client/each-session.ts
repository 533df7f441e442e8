import type { SessionDetail } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
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
export const isWhole = (ref: string, { key, id }: SessionDetail): boolean => ref === key || ref === id;

/**
 * One command for several sessions. All are found before anything is done; one that fails then keeps no other back.
 * @returns exit code, the highest of all
 * @throws CliError where there is one session, or one of them is not found
 */
export const eachSession = (state: string, refs: readonly string[], { allow, act }: Deed): Promise<number> =>
  withBridge(state, async (bridge) => {
    // One that is named twice, by its id and its key, is one.
    const named = new Map<string, string>();
    for (const session of refs) {
      if (!allow && refs.length === 1) named.set(session, session);
      else {
        const found = await bridge.call('session.inspect', { session }, patience);
        await allow?.(session, found);
        if (!named.has(found.key)) named.set(found.key, session);
      }
    }
    let worst: number = exitCodes.ok;
    for (const ref of named.values()) {
      try {
        await act(bridge, ref);
      } catch (error) {
        if (refs.length === 1 || !(error instanceof CliError)) throw error;
        say(safeLine(`${ref}: ${error.message} ${error.suggestion}`));
        worst = Math.max(worst, exitCodes[error.exit]);
      }
    }
    return worst;
  });
