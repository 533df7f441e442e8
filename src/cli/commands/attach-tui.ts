import { BridgeClient } from '../client/bridge-client.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { LiveBridge } from '../tui/live-bridge.ts';
import { runTui } from '../tui/run-tui.tsx';
import { runOnTerminal } from '../tui/step-aside.ts';

/**
 * The screen over all sessions.
 * @returns the exit code.
 * @throws CliError when there is no bridge, or no such session, before anything is drawn.
 */
export async function attachTui(state: string, session: string | undefined): Promise<number> {
  if (session === undefined) await callBridge(state, 'bridge.status', {}, { timeoutMs: 10_000 });
  const found =
    session === undefined
      ? undefined
      : await callBridge(state, 'session.inspect', { session }, { timeoutMs: 10_000 });
  const end = await runTui({
    port: new LiveBridge(new BridgeClient({ state })),
    session: found?.key,
    env: process.env,
    terminal: (key) => runOnTerminal(['attach', '--terminal', '--state-dir', state, '--', key]),
  });
  return end === 'quit' ? exitCodes.ok : exitCodes.interrupted;
}
