// What sessions cost, by day: the stable `--json` shapes of `synthesis cost`.
import type { Cost } from '../../state/cost.ts';
import type { Session } from '../../state/session.ts';

export interface CostDay {
  /** UTC, `2026-02-03`. */
  day: string;
  /** US dollars. */
  usd: number;
}

export interface SessionCost {
  id: string;
  key: string;
  /** Of the cluster, the machine where it was spent; absent where only one was asked. */
  node?: string;
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
