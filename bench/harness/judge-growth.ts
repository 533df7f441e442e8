import { exponentOf, type Point } from './growth.ts';
import { type Goal, judge, type Row } from './row.ts';
import { median } from './stats.ts';

/** What is measured of one size: the cost of one of them, however often it was repeated. */
export type Sized = ReadonlyMap<number, () => Promise<number>>;

/** Sizes take turns, as subject and reference do elsewhere. A round is one curve, and its power is what is judged. */
export async function judgeGrowth(goal: Goal, sized: Sized, counted: number): Promise<Row> {
  const rounds: Point[][] = [];
  while (rounds.length < counted) {
    const points: Point[] = [];
    for (const [size, measure] of sized) points.push({ size, cost: await measure() });
    rounds.push(points);
  }
  const curve = [...sized.keys()].map((size, at) => ({
    size,
    cost: median(rounds.map((points) => points[at]?.cost ?? Number.NaN)),
  }));
  const row = judge(goal, { subject: rounds.map(exponentOf), reference: rounds.map(() => 1) });
  const words = curve.map(({ size, cost }) => `${size}: ${cost.toFixed(cost < 10 ? 2 : 0)} ms`).join(', ');
  return { ...row, curve, note: [row.note, `${words}.`].filter(Boolean).join(' ') };
}
