// Rows of one bridge, to be shown as lines: what there is, or what comes as well.
import type { EventsParams } from '../../../domain/views/control.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { CliError } from '../../cli-error.ts';
import type { BridgeClient } from '../../client/bridge-client.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { say } from '../../output/out.ts';
import { Lines, type LinesOptions } from './lines.ts';

/** Asks a bridge for what there is, and shows it. */
export async function showStored(
  bridge: RpcConnection,
  params: EventsParams,
  options: LinesOptions,
): Promise<void> {
  const { session, since } = params;
  const { json, tail } = options;
  if (tail !== undefined && since === undefined) {
    // Not every row makes a line: where these make too few, all of them are read.
    const newest = new Lines(options);
    const about = { ...(session !== undefined && { session }), last: json ? tail : 64 + 8 * tail };
    await read(bridge, about, newest);
    if (newest.suffices) return newest.caughtUp();
  }
  const lines = new Lines(options);
  await read(bridge, params, lines);
  lines.caughtUp();
}

async function read(bridge: RpcConnection, params: EventsParams, lines: Lines): Promise<void> {
  await bridge.call(
    'events.subscribe',
    { ...params, follow: false },
    {
      onNotification: (method, given) => {
        if (method === 'event') lines.take(given.row as JournalRow);
        if (method === 'gap') lines.gap(given.to as number);
      },
    },
  );
}

export interface FollowWords {
  gone: string;
  back: string;
  reset: string;
  /** It was said already. */
  isGone?: boolean;
  /** The bridge refuses, and is not asked again. */
  failed(error: CliError): void;
}

/** Shows rows for as long as the client is open, through restarts of its bridge. */
export function followRows(
  client: BridgeClient,
  params: EventsParams,
  lines: Lines,
  words: FollowWords,
): void {
  let lost = words.isGone ?? false;
  client.onLink((link) => {
    if (link.name === 'lost' && !lost) say(words.gone);
    if (link.name === 'live' && lost) say(words.back);
    lost = link.name === 'lost';
  });
  client.subscribe(params, {
    row: (row) => lines.take(row),
    live: () => lines.caughtUp(),
    gap: (_from, to) => lines.gap(to),
    reset: () => say(words.reset),
    failed: words.failed,
  });
  client.open();
}
