/** What something of a size costs. */
export interface Point {
  size: number;
  cost: number;
}

/**
 * The power of its size with which a cost grows: the slope of a straight line through the logarithms of both, least
 * squares. 1 is twice the cost for twice the size, 2 is four times.
 * @throws for less than two sizes, and for what has no logarithm
 */
export function exponentOf(points: readonly Point[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const [x, y] = [mean(logs.map((log) => log.x)), mean(logs.map((log) => log.y))];
  const slope = sum(logs.map((log) => (log.x - x) * (log.y - y))) / sum(logs.map((log) => (log.x - x) ** 2));
  if (!Number.isFinite(slope)) throw new Error('no line goes through what was measured');
  return slope;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
