import { failedStarts } from '../../../domain/views/session/failed-starts.ts';
import type { SessionRow } from '../../../domain/views/session/session-row.ts';
import { waitingLines } from '../../../domain/views/words/mode-words.ts';
import { panicNotice } from '../../../domain/views/words/panic-words.ts';
import { withBridge } from '../../client/control-client.ts';
import { withOthers } from '../../client/with-others.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { columnsOf } from '../../output/standard-streams.ts';
import { gatewayWords } from '../../output/words/gateway-words.ts';
import { providerWords } from '../../output/words/provider-words.ts';
import { psLines } from '../../sessions/cells.ts';

export interface PsOptions {
  state: string;
  json: boolean;
  quiet: boolean;
  check: boolean;
  /** With what they cost, and what lies in their context. */
  cost: boolean;
  /** Also those that have not been used for a day. */
  all: boolean;
}

/** Sessions that sleep longer than this are not shown without `-a`, ms. */
const recentMs = 86_400_000;

const patience = { timeoutMs: 10_000 };

const isCurrent = (row: SessionRow) =>
  row.state !== 'stopped' || row.failure !== null || Date.now() - Date.parse(row.touched_at) < recentMs;

const unwell = (row: SessionRow) => row.health.some((each) => !each.info) || row.failure !== null;

export async function ps(options: PsOptions): Promise<number> {
  // The bridge looks at its folders for the one while it lists its sessions for the other.
  const [{ connections, panic, notices = [], providers = [] }, own] = await withBridge(
    options.state,
    (bridge) =>
      Promise.all([bridge.call('bridge.status', {}, patience), bridge.call('session.list', {}, patience)]),
  );
  const { all: every, silent } = await withOthers(options.state, own, (bridge) =>
    bridge.call('session.list', {}, patience),
  );
  const rows = options.all ? every : every.filter(isCurrent);
  if (panic && !options.json && !options.quiet) say(panicNotice(panic));
  if (!options.json && !options.quiet)
    for (const { words, suggestion = '' } of notices) say(safeLine(`${words} ${suggestion}`).trim());
  if (options.json) printJson(rows);
  else if (options.quiet) for (const row of rows) print(row.id);
  else if (every.length === 0) say('No sessions yet. The first message of a conversation opens one.');
  else if (rows.length > 0) await showTable(rows, options.cost);
  if (!options.json && !options.quiet) for (const line of waitingLines(rows)) say(safeLine(line));
  if (!options.json && !options.quiet)
    for (const { who, cause, remedy } of failedStarts(rows)) say(safeLine(`${who}: ${cause}. ${remedy}`));
  const hidden = every.length - rows.length;
  if (hidden > 0 && !options.json && !options.quiet)
    say(`${hidden} more not used for a day: synthesis ps -a`);
  const ill = providers.filter(({ status }) => status !== 'healthy');
  if (!options.json && !options.quiet) {
    for (const each of connections) say(gatewayWords(each));
    for (const each of ill) say(providerWords(each));
    for (const words of silent) say(safeLine(`${words} What lives there is not shown.`));
  }
  const well =
    !panic &&
    notices.length === 0 &&
    ill.length === 0 &&
    silent.length === 0 &&
    connections.every(({ state }) => state === 'connected') &&
    !rows.some(unwell);
  return options.check && !well ? exitCodes.degraded : exitCodes.ok;
}

/** Whole for a program that reads it; at a terminal no wider than that. */
async function showTable(rows: readonly SessionRow[], withCost: boolean): Promise<void> {
  print((await psLines(rows, columnsOf('stdout') || undefined, withCost)).join('\n'));
}
