/** What was probably meant: a name that begins so, or differs by less than a third of its letters. */
export function nearest<T extends string>(wanted: string, names: readonly T[]): T | undefined {
  const begins = wanted.length > 2 ? names.find((name) => name.startsWith(wanted)) : undefined;
  if (begins !== undefined) return begins;
  const [best] = names
    .map((name) => ({ name, far: distance(wanted.slice(0, 64), name) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far * 3 < best.name.length ? best.name : undefined;
}

/** Letters to add, leave out or change, and neighbours to swap. */
function distance(a: string, b: string): number {
  const from = [...a];
  const to = [...b];
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [i, letter] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const swaps = letter === to[j - 1] && other === from[i - 1];
      const swapped = swaps ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, changed, swapped));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
