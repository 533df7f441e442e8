/**
 * The first of equal ones, whatever their case; without empty and overlong ones.
 *
 * @param bound number, and length of each in UTF-16 code units
 */
export function distinct(all: Iterable<string>, bound: { count: number; length: number }): string[] {
  const seen = new Map<string, string>();
  for (const each of all) {
    if (seen.size >= bound.count) break;
    const key = each.toLowerCase();
    if (each !== '' && each.length <= bound.length && !seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}
