import { withBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { patienceMs } from './patience.ts';

export interface MoveOptions {
  state: string;
  session: string;
  to: string;
  timeout?: string;
  json: boolean;
}

/** Of a conversation on whichever machine: the one that has it is asked. */
export async function clusterMove({ state, session, to, timeout, json }: MoveOptions): Promise<number> {
  const params = { session, node: to, ...patienceMs(timeout) };
  const moved = await withBridge(state, (bridge) => bridge.call('cluster.move', params));
  if (json) printJson(moved);
  else say(safeLine(`${moved.session} lives on ${moved.node} now.`));
  return exitCodes.ok;
}
