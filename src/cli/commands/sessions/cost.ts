// What Claude Code says its work would cost, by session and by day.

import { type CostReport, costReport } from '../../../domain/views/cost-report.ts';
import type { SessionCost } from '../../../domain/views/session/session-cost.ts';
import { usdText } from '../../../domain/views/words/cost-words.ts';
import { callBridge } from '../../client/control-client.ts';
import { withOthers } from '../../client/with-others.ts';
import { pointInTime } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { table } from '../../output/table.ts';
import { rulerFor } from '../../text/ruler.ts';

export interface CostOptions {
  state: string;
  /** Name, id, key, or a unique prefix of one; all when empty. */
  sessions: readonly string[];
  since?: string;
  json: boolean;
}

export async function cost({ state, sessions, since, json }: CostOptions): Promise<number> {
  const first = since === undefined ? undefined : dayOf(pointInTime(since, Date.now()));
  const { all, silent } = sessions.length === 0 ? await ofAll(state) : await ofNamed(state, sessions);
  const report = costReport(all, first);
  if (json) printJson(report);
  else await show(report);
  // A sum that lacks something says so, also to whoever reads it by a program.
  for (const words of silent) say(safeLine(`${words} What was spent there is not in the sum.`));
  return exitCodes.ok;
}

const patience = { timeoutMs: 10_000 };

interface Costs {
  all: readonly SessionCost[];
  /** Why machines are missing, in words. */
  silent: string[];
}

async function ofAll(state: string): Promise<Costs> {
  const own = await callBridge(state, 'session.costs', {}, patience);
  return await withOthers(state, own, (bridge) => bridge.call('session.costs', {}, patience));
}

/** Each may live on another machine; what is named twice counts once. */
async function ofNamed(state: string, sessions: readonly string[]): Promise<Costs> {
  const found = new Map<string, SessionCost>();
  for (const session of sessions)
    for (const cost of await callBridge(state, 'session.costs', { sessions: [session] }, patience))
      found.set(cost.key, cost);
  return { all: [...found.values()], silent: [] };
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

async function show({ since, usd, sessions, days }: CostReport): Promise<void> {
  if (sessions.length === 0) return say('No sessions yet. The first message of a conversation opens one.');
  const dearest = sessions.toSorted((left, right) => (right.usd ?? -1) - (left.usd ?? -1));
  const isOneOf = dearest.some(({ node }) => node !== undefined);
  await printTable(
    ['id', 'cost', ...(isOneOf ? ['node'] : []), 'key'],
    dearest.map(({ id, usd: own, node, key }) => [id, usdText(own), ...(isOneOf ? [node ?? '-'] : []), key]),
  );
  if (days.length > 0) print('');
  if (days.length > 0)
    await printTable(
      ['day', 'cost'],
      days.map(({ day, usd: own }) => [day, usdText(own)]),
    );
  for (const line of totals(usd, since, sessions.filter((each) => each.usd === null).length)) say(line);
}

async function printTable(head: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
  print(table(head, rows, await rulerFor(rows.flat().map(safeLine))));
}

function totals(usd: number | null, since: string | null, silent: number): string[] {
  const when = since === null ? '' : ` since ${since} (UTC)`;
  const all =
    usd === null
      ? `Claude Code told nothing of costs${when}.`
      : `${usdText(usd)} in all${when}: what Claude Code says it would cost. Your bill, or your subscription, may say otherwise.`;
  const of = silent === 1 ? 'one session' : `${silent} sessions`;
  return silent === 0 || usd === null ? [all] : [all, `Of ${of} nothing was told; that is not in the sum.`];
}
