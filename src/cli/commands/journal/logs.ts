// What happened, and what happens: the journal as lines of words, or as NDJSON.
import type { EventsParams } from '../../../domain/views/control.ts';
import { CliError } from '../../cli-error.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { connectBridge, withBridge } from '../../client/control-client.ts';
import { isOneOfMany, reachNodeOf } from '../../client/with-others.ts';
import { pointInTime } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { untilStopped } from '../../output/live/stream-out.ts';
import { say } from '../../output/out.ts';
import { Lines } from './lines.ts';
import type { AllOptions } from './logs-of-all.ts';
import { followRows, showStored } from './read-rows.ts';

export interface LogsOptions {
  state: string;
  session?: string;
  follow: boolean;
  since?: string;
  tail?: number;
  json: boolean;
}

export async function logs(options: LogsOptions): Promise<number> {
  const { state, follow, session, tail, json } = options;
  const since = options.since === undefined ? undefined : pointInTime(options.since, Date.now());
  const place = since === undefined ? { from: 0 } : { since };
  const params: EventsParams = { ...place, ...(session !== undefined && { session }) };
  if (session !== undefined) await reachNodeOf(state, session);
  try {
    if (session === undefined && isOneOfMany(state))
      return await ofAll({ state, follow, json, tail }, params);
    if (follow) return await watch(state, params, new Lines({ json, tail }));
    const reading = withBridge(state, (bridge) => showStored(bridge, params, { json, tail }));
    return await Promise.race([reading.then(() => exitCodes.ok), untilStopped()]);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
    if (follow)
      throw new CliError(
        'not_running',
        'not_running',
        `${error.message} There is nothing to follow.`,
        'Without -f it prints what was kept. `synthesis up` starts a bridge.',
      );
    return kept(state, error, { session, since: since ?? 0 }, new Lines({ json, tail }));
  }
}

/** @throws CliError when the bridge here does not answer */
async function ofAll(
  options: Pick<AllOptions, 'state' | 'follow' | 'json' | 'tail'>,
  params: EventsParams,
): Promise<number> {
  const { logsOfAll } = await import('./logs-of-all.ts');
  return await logsOfAll({
    ...options,
    show: (bridge, lines) => showStored(bridge, params, lines),
    watch: (client, lines, words) => followRows(client, params, new Lines(lines), words),
  });
}

/** Without a bridge: what the last one has left in the journal. */
async function kept(
  state: string,
  error: CliError,
  wanted: { session: string | undefined; since: number },
  lines: Lines,
): Promise<number> {
  const { keptRows } = await import('./journal-rows.ts');
  const reading = keptRows(state, error, wanted, {
    begin: () => say(`${error.message} This is what was kept.`),
    gap: (to) => lines.gap(to),
    take: (row) => lines.take(row),
  });
  return lines.end(await Promise.race([reading, untilStopped()]));
}

/** Without a terminal, `attach` is this: from now on, until it is stopped. */
export function attachStream(state: string, session: string | undefined, json: boolean): Promise<number> {
  if (session === undefined && isOneOfMany(state))
    return ofAll({ state, follow: true, json, tail: undefined }, {});
  return watch(state, session === undefined ? {} : { session }, new Lines({ json, tail: undefined }));
}

/** Goes on through restarts of the bridge; only a first look that fails is an error. */
async function watch(state: string, params: EventsParams, lines: Lines): Promise<number> {
  (await connectBridge(state)).close();
  const stopped = untilStopped();
  const failed = Promise.withResolvers<number>();
  const client = new BridgeClient({ state });
  followRows(client, params, lines, {
    gone: 'The bridge is gone; waiting for it to come back.',
    back: 'The bridge is back.',
    reset: 'The journal is another one than before; it is read from its beginning.',
    failed: failed.reject,
  });
  try {
    return await Promise.race([stopped, failed.promise]);
  } finally {
    client.close();
  }
}
