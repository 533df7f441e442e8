// What sessions cost, by day: the stable `--json` shapes of `synthesis cost`.
import type { Cost } from '../cost.ts';
import type { Session } from '../session.ts';

export interface CostDay {
  /** UTC, `2026-02-03`. */
  day: string;
  /** US dollars. */
  usd: number;
}

export interface SessionCost {
  id: string;
  key: string;
  /** US dollars since the conversation began; null when Claude Code told nothing. */
  usd: number | null;
  /** Oldest first; the newest ones are kept. */
  days: CostDay[];
}

export const sessionCost = ({ key, cost }: Session, id: string): SessionCost => ({
  id,
  key,
  usd: costUsd(cost),
  days: costDays(cost),
});

/** Null when nothing was told of this conversation. */
export const costUsd = (cost: Cost | undefined): number | null =>
  cost && Object.keys(cost.days).length > 0 ? toMicros(cost.usd) : null;

const costDays = (cost: Cost | undefined): CostDay[] =>
  Object.entries(cost?.days ?? {})
    .map(([day, usd]) => ({ day, usd: toMicros(usd) }))
    .sort((left, right) => (left.day < right.day ? -1 : 1));

/** Sums of floating numbers end in noise. */
const toMicros = (usd: number): number => Math.round(usd * 1e6) / 1e6;

export interface CostReport {
  /** The first day that counts; null for all that is known. */
  since: string | null;
  /** Of all of them; null when nothing was told. */
  usd: number | null;
  /** Those of which nothing was told, too. */
  sessions: SessionCost[];
  /** Of all of them together, oldest first. */
  days: CostDay[];
}

/** @param since the first day that counts: with it a session's `usd` is the sum of its days from then on */
export function costReport(all: readonly SessionCost[], since: string | undefined): CostReport {
  const sessions = since === undefined ? [...all] : all.map((each) => from(each, since));
  const told = sessions.flatMap(({ usd }) => usd ?? []);
  const byDay = new Map<string, number>();
  for (const { day, usd } of sessions.flatMap(({ days }) => days))
    byDay.set(day, (byDay.get(day) ?? 0) + usd);
  return {
    since: since ?? null,
    usd: told.length === 0 ? null : toMicros(sum(told)),
    sessions,
    days: [...byDay]
      .map(([day, usd]) => ({ day, usd: toMicros(usd) }))
      .sort((left, right) => (left.day < right.day ? -1 : 1)),
  };
}

function from(cost: SessionCost, since: string): SessionCost {
  const days = cost.days.filter(({ day }) => day >= since);
  return { ...cost, days, usd: cost.usd === null ? null : toMicros(sum(days.map(({ usd }) => usd))) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
