// The least that finds near vectors: a product of each with the question, as 32-bit floats in memory.

/** @param all one after the other. @returns the places of the nearest, the nearest first */
export function scan(all: Float32Array, query: Float32Array, limit: number): number[] {
  const best: { at: number; score: number }[] = [];
  for (let at = 0; at * query.length < all.length; at += 1) {
    const score = product(all, at * query.length, query);
    if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
    const place = best.findIndex((each) => each.score < score);
    best.splice(place === -1 ? best.length : place, 0, { at, score });
    best.length = Math.min(best.length, limit);
  }
  return best.map(({ at }) => at);
}

function product(all: Float32Array, from: number, query: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 1) sum += (all[from + at] as number) * (query[at] as number);
  return sum;
}
