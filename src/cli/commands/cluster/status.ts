import type { Check } from '../../../domain/views/check.ts';
import type { ClusterView, NodeRow } from '../../../domain/views/cluster.ts';
import { CliError } from '../../cli-error.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { table } from '../../output/table.ts';
import { ago } from '../../output/words/ago.ts';
import { serverCheck } from '../../output/words/server-check.ts';
import { rulerFor } from '../../text/ruler.ts';

/** @returns 7 when this machine has no part in the cluster, another one is away, or a server has not all of it */
export async function clusterStatus({ state, json }: { state: string; json: boolean }): Promise<number> {
  const patience = { timeoutMs: 10_000 };
  const [view, servers] = await Promise.all([
    callBridge(state, 'cluster.status', {}, patience),
    callBridge(state, 'cluster.servers', {}, patience),
  ]);
  if (!view)
    throw new CliError(
      'usage',
      'no_cluster',
      'This bridge is alone: its configuration names no cluster.',
      'Set `cluster` and restart it: `synthesis docs many-machines`.',
    );
  const kept = view.state === 'connected' ? serverCheck(servers) : undefined;
  if (json) printJson({ ...view, servers });
  else await show(view, kept);
  const isWell =
    view.state === 'connected' &&
    view.reason === null &&
    !view.nodes.some(({ state }) => state === 'away') &&
    kept?.status !== 'warning';
  return isWell ? exitCodes.ok : exitCodes.degraded;
}

async function show(
  { name, node, state, server, reason, takeover, nodes }: ClusterView,
  kept: Check | undefined,
): Promise<void> {
  const link = server === null ? 'not connected' : `connected to ${server}`;
  say(safeLine(`Node ${node} of cluster ${name}, ${link}.`));
  if (reason !== null) say(safeLine(reason));
  if (takeover !== null)
    say(
      `Another node goes on with ${takeover.conversations} of its conversations after ${takeover.after_s} s without a sign of life.`,
    );
  if (kept) say(safeLine([kept.message, kept.suggestion ?? []].flat().join(' ')));
  if (state !== 'connected') say('What follows is as it was when it could last be read.');
  const rows = nodes.map(cellsOf);
  print(table(titles, rows, await rulerFor(rows.flat())));
}

const titles = ['node', 'state', 'sessions', 'live', 'free', 'up', 'version'];

const cellsOf = ({ node, state, sessions, live, free_mb, started_at, version }: NodeRow): string[] => [
  node,
  state,
  String(sessions),
  String(live),
  `${(free_mb / 1024).toFixed(1)} GB`,
  state === 'away' || state === 'stopped' ? '-' : ago(started_at, Date.now()),
  version,
];
