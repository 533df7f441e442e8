import { Config } from '../../../protocol/config.ts';
import { CliError } from '../../cli-error.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { callBridge, chosenNode } from '../../client/control-client.ts';
import { readConfig } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { configFile } from '../../paths.ts';
import { LiveBridge } from '../../tui/live-bridge.ts';
import { runTui } from '../../tui/run-tui.tsx';
import { runOnTerminal } from '../../tui/step-aside.ts';

/** A configuration that cannot be used keeps nobody from looking: `doctor` says what is wrong with it. */
function screenConfig(): Config {
  try {
    return readConfig(configFile(process.env), process.env, {});
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return Config.parse({});
  }
}

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
  const node = chosenNode();
  const onNode = node === undefined ? [] : ['--node', node];
  const config = screenConfig();
  const end = await runTui({
    port: new LiveBridge(new BridgeClient({ state })),
    session: found?.key,
    env: process.env,
    notify: config.notify,
    copy: config.attach.copy,
    terminal: (key) => runOnTerminal(['attach', '--terminal', '--state-dir', state, ...onNode, '--', key]),
  });
  return end === 'quit' ? exitCodes.ok : exitCodes.interrupted;
}
