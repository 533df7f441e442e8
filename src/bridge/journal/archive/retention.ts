// Which segments are given up, by their names alone.
import type { Segment } from './segment-name.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * The segments, of a list that is sorted, whose rows are all older than so many days. The oldest go first and none goes
 * before those that come before it, whatever the clock did meanwhile: what is kept stays one chain.
 * @param keepDays 0 = none is kept, Infinity = all are
 * @param now epoch ms
 */
export function outdated(segments: readonly Segment[], keepDays: number, now: number): Segment[] {
  if (keepDays === 0) return [...segments];
  const kept = segments.findIndex(({ newest }) => newest + 1000 > now - keepDays * day);
  return segments.slice(0, kept < 0 ? undefined : kept);
}
