// The operator's screen over the simulated afternoon, in one process with its bridge.
import { Config } from '../../protocol/settings/config.ts';
import { CliError } from '../cli-error.ts';
import { BridgeClient } from '../client/bridge-client.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';
import { LiveBridge } from '../tui/bridge/live-bridge.ts';
import { runTui } from '../tui/run-tui.tsx';
import { runOnTerminal } from '../tui/terminal/step-aside.ts';

/**
 * @returns the exit code, as `attach`
 * @throws CliError without a terminal, before anything is started
 */
export async function demoAttach(): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb') {
    throw new CliError(
      'usage',
      'no_terminal',
      'The screen of the demo needs a terminal to be shown in.',
      'Run this in one, or `synthesis demo`, which does without.',
    );
  }
  const end = await shown();
  say(
    'The demo is over, and nothing of it stays. With your own Claude Code: `synthesis init` asks how it is to work, `synthesis up` starts the bridge.',
  );
  return end === 'quit' ? exitCodes.ok : exitCodes.interrupted;
}

/** Whatever the operator has set for their own bridge is not for this one. */
async function shown(): Promise<'quit' | 'signal'> {
  const { Afternoon } = await import('../../demo/afternoon/afternoon.ts');
  await using afternoon = await Afternoon.begin();
  const { state, isLeft } = afternoon.demo;
  if (isLeft) return 'signal';
  const { notify, attach } = Config.parse({});
  const end = await runTui({
    port: new LiveBridge(new BridgeClient({ state })),
    session: undefined,
    env: process.env,
    notify,
    copy: attach.copy,
    terminal: (key) => runOnTerminal(['attach', '--terminal', '--state-dir', state, '--', key]),
  });
  // At once: its bridge would give every answer five seconds to end. Whoever looked on may have ended it.
  await callBridge(state, 'bridge.panic', { reason: 'the demo is over' }, { timeoutMs: 5_000 }).catch(
    () => {},
  );
  return end;
}
