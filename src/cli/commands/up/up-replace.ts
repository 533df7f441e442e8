import { CliError } from '../../cli-error.ts';
import { bridgeEnded } from '../../client/bridge-ended.ts';
import { type BridgeFile, callBridge, readBridgeFile } from '../../client/control-client.ts';

/**
 * Stops the bridge that runs on this state directory, if one does. Its Claude Codes go on for whoever comes next.
 * @returns what it said of itself
 */
export async function makeRoom(state: string): Promise<BridgeFile | undefined> {
  const before = readBridgeFile(state);
  try {
    await callBridge(state, 'bridge.stop', { keep: true, why: 'replace' }, { timeoutMs: 10_000 });
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return undefined;
    throw error;
  }
  await bridgeEnded(before?.pid);
  return before;
}
