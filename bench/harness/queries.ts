/** CPU time of each of some questions, milliseconds, sorted. */
export async function perQuery<Question>(
  questions: readonly Question[],
  ask: (question: Question) => Promise<unknown> | unknown,
): Promise<number[]> {
  const ms: number[] = [];
  for (const question of questions) {
    const from = process.cpuUsage();
    await ask(question);
    const { user, system } = process.cpuUsage(from);
    ms.push((user + system) / 1000);
  }
  return ms.toSorted((a, b) => a - b);
}

/** @param share 0.95 for p95 @throws on an empty list */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
