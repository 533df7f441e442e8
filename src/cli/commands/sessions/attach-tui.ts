import { Config } from '../../../protocol/settings/config.ts';
import { CliError } from '../../cli-error.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { callBridge, chosenNode, readBridgeFile } from '../../client/control-client.ts';
import { isOneOfMany } from '../../client/with-others.ts';
import { readConfig } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { signDecision } from '../../operator-proof/sign.ts';
import { configFile } from '../../paths.ts';
import type { BridgePort } from '../../tui/bridge/bridge-port.ts';
import { LiveBridge } from '../../tui/bridge/live-bridge.ts';
import { ScreenProofs } from '../../tui/bridge/screen-proofs.ts';
import { runTui } from '../../tui/run-tui.tsx';
import { runOnTerminal } from '../../tui/terminal/step-aside.ts';

/** A configuration that cannot be used keeps nobody from looking: `doctor` says what is wrong with it. */
function screenConfig(): Config {
  try {
    return readConfig(configFile(process.env), process.env, {});
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return Config.parse({});
  }
}

/** To all machines of a cluster, unless one is named. */
async function portOf(state: string, { prove: prover }: ScreenProofs): Promise<BridgePort> {
  const own = new LiveBridge(new BridgeClient({ state, prover }));
  const here = readBridgeFile(state)?.node;
  if (here === undefined || !isOneOfMany(state)) return own;
  const { ManyBridges } = await import('../../tui/nodes/many-bridges.ts');
  return new ManyBridges({
    here,
    own,
    to: (node) => new LiveBridge(new BridgeClient({ state, node, prover })),
  });
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
  const config = screenConfig();
  const proofs = new ScreenProofs({
    sign: (text, keys, signal) => signDecision({ text, keys, signal, env: process.env, hasTerminal: false }),
  });
  const end = await runTui({
    port: await portOf(state, proofs),
    proofs,
    session: found?.key,
    env: process.env,
    notify: config.notify,
    copy: config.attach.copy,
    terminal: (key, node = chosenNode()) =>
      runOnTerminal([
        'attach',
        '--terminal',
        '--state-dir',
        state,
        ...(node === undefined ? [] : ['--node', node]),
        '--',
        key,
      ]),
  });
  return end === 'quit' ? exitCodes.ok : exitCodes.interrupted;
}
