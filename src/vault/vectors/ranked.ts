// The end of every search: candidates by their real scores.
import type { Near } from './vector-store.ts';

/** How many are looked at, where what chooses them is not exact or may give one twice. */
export const candidates = (limit: number): number => limit + 50;

/** @param near in any order. @returns the nearest first, each once, without those that are near nothing */
export function ranked(near: readonly Near[], limit: number): Near[] {
  const each = new Map(near.map((one) => [one.hash, one]));
  return [...each.values()]
    .filter(({ score }) => score !== 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}
