/** @throws on an empty list: a median of nothing is a measurement that did not happen. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('nothing was measured');
  return (upper + lower) / 2;
}

/**
 * How much a series varied: highest minus lowest, divided by the median. The highest and the lowest fifth are left out,
 * because a few hiccups of the machine do not move a median either.
 */
export function spread(values: readonly number[]): number {
  const outside = Math.floor(values.length / 5);
  const inner = [...values].sort((a, b) => a - b).slice(outside, values.length - outside);
  return (Math.max(...inner) - Math.min(...inner)) / median(values);
}
