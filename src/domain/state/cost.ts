// What a conversation cost, from running totals that Claude Code tells: each process has its own.

export interface Cost {
  /** US dollars since the conversation began. */
  usd: number;
  /** The running total that was told last, US dollars. */
  told: number;
  /** UTC day (`2026-02-03`) → US dollars that were told on it; up to `keptDays` of them. */
  days: Readonly<Record<string, number>>;
}

/** Days that are remembered per session, the newest ones. */
export const keptDays = 100;

/** More than that nobody was told, US dollars: a sum of such numbers stays exact to the cent. */
const most = 1e9;

/** A number that can be one; undefined for anything else, such as nothing, or what is no number of JSON. */
export const toldUsd = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= most ? value || 0 : undefined;

/**
 * What a running total adds to the one before it. One that is smaller is that of a process that began anew; one that was
 * resumed may go on where it was.
 */
export const addedUsd = (told: number, before = 0): number => (told >= before ? told - before : told);

/** @param told what Claude Code says its process has cost so far @param at epoch ms */
export function addCost(cost: Cost | undefined, told: unknown, at: number): Cost | undefined {
  const total = toldUsd(told);
  if (total === undefined) return cost;
  const added = addedUsd(total, cost?.told);
  const day = new Date(at).toISOString().slice(0, 10);
  const days = { ...cost?.days, [day]: (cost?.days[day] ?? 0) + added };
  return { usd: (cost?.usd ?? 0) + added, told: total, days: newest(days) };
}

/** The next conversation of the process: nothing yet, and no total from before is taken for its own. */
export const costAfresh = ({ told }: Cost): Cost => ({ usd: 0, told, days: {} });

function newest(days: Record<string, number>): Record<string, number> {
  const names = Object.keys(days);
  if (names.length <= keptDays) return days;
  return Object.fromEntries(
    names
      .sort()
      .slice(-keptDays)
      .map((day) => [day, days[day] ?? 0]),
  );
}
