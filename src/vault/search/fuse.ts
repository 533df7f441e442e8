// One order out of two: words and meaning. Pure.

/** Ranks far down differ little (Cormack, Clarke and Büttcher 2009). */
const flatness = 60;

/** How much a place in the order of words counts against one in that of meaning: never worse than words alone, measured. */
export const wordsToMeaning = 3;

/**
 * By reciprocal ranks: scores of different kinds cannot be compared, places can.
 *
 * @param orders names, the best first, and how much each order counts
 * @returns all names, the best first
 */
export function fused(orders: readonly { names: readonly string[]; weight: number }[]): string[] {
  const scores = new Map<string, number>();
  for (const { names, weight } of orders)
    for (const [at, name] of names.entries())
      scores.set(name, (scores.get(name) ?? 0) + weight / (flatness + at + 1));
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}
