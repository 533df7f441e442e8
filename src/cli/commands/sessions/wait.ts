import { CliError } from '../../cli-error.ts';
import { withBridge } from '../../client/control-client.ts';
import { found, tell } from '../../client/each-session.ts';
import { duration } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';

export interface WaitOptions {
  state: string;
  sessions: readonly string[];
  /** Until the first of them is idle. */
  any: boolean;
  timeout?: string;
  json: boolean;
}

/** Exit code 3 when one of them, or with `any` each of them, is still busy after `timeout`. */
export function wait({ state, sessions, any, timeout, json }: WaitOptions): Promise<number> {
  const ms = timeout === undefined ? undefined : duration(timeout);
  if (timeout !== undefined && ms === undefined) {
    throw new CliError(
      'usage',
      'bad_time',
      `"${timeout}" is not a span of time.`,
      'Write seconds, or for example 90s, 10m, 2h.',
    );
  }
  const limit = ms === undefined ? {} : { timeout_ms: Math.round(ms) };
  return withBridge(state, async (bridge) => {
    const refs = await found(bridge, sessions);
    const waits = refs.map(async (ref) => ({
      ref,
      ...(await bridge.call('session.wait', { session: ref, ...limit })),
    }));
    if (any) {
      // The others end with the connection.
      const { ref, ...result } = await Promise.any(waits).catch(noneOf);
      if (json) printJson(result);
      else print(safeLine(ref));
      return exitCodes.ok;
    }
    const codes = waits.map(async (each, at) => {
      try {
        const { ref, ...result } = await each;
        if (json) printJson(result);
        else say(`${safeLine(ref)} is idle (${result.state}).`);
        return exitCodes.ok;
      } catch (error) {
        if (refs.length === 1) throw error;
        return exitCodes[tell(refs[at] ?? '', error)];
      }
    });
    return Math.max(...(await Promise.all(codes)));
  });
}

/** Whoever asked for one alone hears of it as without `--any`. */
function noneOf({ errors }: AggregateError): never {
  const other = errors.find((error) => !(error instanceof CliError) || error.exit !== 'timeout');
  if (other || errors.length === 1) throw other ?? errors[0];
  throw new CliError(
    'timeout',
    'timeout',
    `None of the ${errors.length} sessions became idle in time.`,
    'Nothing was interrupted. Wait again, or look at them with `synthesis ps`.',
  );
}
