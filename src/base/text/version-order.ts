/** Whether a version of three or so numbers (`2.1.329`, `2026.9.6`) comes before another. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (const [index, part] of (right ?? []).entries()) {
    const difference = (left?.[index] ?? 0) - part;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
