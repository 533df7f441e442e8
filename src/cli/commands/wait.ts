import { CliError } from '../cli-error.ts';
import { callBridge } from '../client/control-client.ts';
import { duration } from '../duration.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, say } from '../output/out.ts';

export interface WaitOptions {
  state: string;
  session: string;
  timeout?: string;
  json: boolean;
}

/** Exit code 3 when it is still busy after `timeout`. */
export async function wait({ state, session, timeout, json }: WaitOptions): Promise<number> {
  const ms = timeout === undefined ? undefined : duration(timeout);
  if (timeout !== undefined && ms === undefined) {
    throw new CliError(
      'usage',
      'bad_time',
      `"${timeout}" is not a span of time.`,
      'Write seconds, or for example 90s, 10m, 2h.',
    );
  }
  const result = await callBridge(state, 'session.wait', {
    session,
    ...(ms !== undefined && { timeout_ms: Math.round(ms) }),
  });
  if (json) printJson(result);
  else say(`${session} is idle (${result.state}).`);
  return exitCodes.ok;
}
