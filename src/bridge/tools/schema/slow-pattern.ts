import { type Positions, positionsOf } from './pattern-parts.ts';

/** A pattern with more pairs to compare than this is refused rather than judged. */
const mostSteps = 300_000;

/**
 * Why a pattern may take for ever. Careful: it refuses some that would end. What it lets through may still be slow by
 * the square of a text; the limit of time in `arguments.ts` ends that.
 *
 * @returns words that follow the name of the pattern; undefined for one that may be used
 */
export function slowPattern(source: string): string | undefined {
  try {
    new RegExp(source, 'u');
  } catch {
    return 'is no regular expression';
  }
  try {
    const positions = positionsOf(source);
    if (positions.doubled || twoWaysRound(positions))
      return 'can take for ever: a repetition in it can read the same text in several ways';
    if (neighbours(positions))
      return 'can take for ever: two repetitions side by side read the same characters';
    return undefined;
  } catch (error) {
    return `can take for ever: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

const meet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a === b || a.values().some((each) => b.has(each));

/** `\s*\s*`: two endless repetitions next to each other share characters. */
const neighbours = ({ reads, follows }: Positions): boolean =>
  follows.some(
    (next, p) =>
      next.has(p) &&
      [...next].some(
        (q) =>
          q !== p &&
          follows[q]?.has(q) &&
          !follows[q].has(p) &&
          meet(reads[p] ?? new Set(), reads[q] ?? new Set()),
      ),
  );

/**
 * Whether a text leads from a position back to it in two ways: pairs of positions that the same text reaches, from
 * (p, p) over a pair of different ones to (p, p) again.
 */
function twoWaysRound({ reads, follows }: Positions): boolean {
  const size = reads.length;
  const next = new Map<number, number[]>();
  const back = new Map<number, number[]>();
  let steps = 0;
  const open = reads.map((_, p) => p * size + p);
  const seen = new Set(open);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const to: number[] = [];
    for (const p of follows[Math.floor(pair / size)] ?? []) {
      for (const q of follows[pair % size] ?? []) {
        steps += 1;
        if (steps > mostSteps) throw new Error('it is too involved to be looked into');
        const [a, b] = [reads[p], reads[q]];
        if (!a || !b || !meet(a, b)) continue;
        const id = p * size + q;
        to.push(id);
        const before = back.get(id);
        if (before) before.push(pair);
        else back.set(id, [pair]);
        if (!seen.has(id)) open.push(id);
        seen.add(id);
      }
    }
    next.set(pair, to);
  }
  return reads.some((_, p) => {
    const home = p * size + p;
    const ahead = reach(home, next);
    const behind = reach(home, back);
    steps += ahead.size + behind.size;
    if (steps > 10 * mostSteps) throw new Error('it is too involved to be looked into');
    return [...ahead].some((pair) => Math.floor(pair / size) !== pair % size && behind.has(pair));
  });
}

function reach(from: number, edges: ReadonlyMap<number, number[]>): Set<number> {
  const seen = new Set<number>();
  const open = [from];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    for (const to of edges.get(pair) ?? []) {
      if (!seen.has(to)) open.push(to);
      seen.add(to);
    }
  }
  return seen;
}
