import { CliError } from '../../cli-error.ts';
import { bridgeEnded } from '../../client/bridge-ended.ts';
import { callBridge, readBridgeFile } from '../../client/control-client.ts';

/** Stops the bridge that runs on this state directory, if one does. Its Claude Codes go on for whoever comes next. */
export async function makeRoom(state: string): Promise<void> {
  const pid = readBridgeFile(state)?.pid;
  try {
    await callBridge(state, 'bridge.stop', { keep: true, why: 'replace' }, { timeoutMs: 10_000 });
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return;
    throw error;
  }
  await bridgeEnded(pid);
}
