// Sessions added up: what `synthesis cost` prints, made where it is printed.
import type { CostDay, SessionCost } from './session/session-cost.ts';

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
    usd: told.length === 0 ? null : rounded(sum(told)),
    sessions,
    days: [...byDay]
      .map(([day, usd]) => ({ day, usd: rounded(usd) }))
      .sort((left, right) => (left.day < right.day ? -1 : 1)),
  };
}

function from(cost: SessionCost, since: string): SessionCost {
  const days = cost.days.filter(({ day }) => day >= since);
  return { ...cost, days, usd: cost.usd === null ? null : rounded(sum(days.map(({ usd }) => usd))) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** To millionths: sums of floating numbers end in noise. */
const rounded = (usd: number) => Number(usd.toFixed(6));
