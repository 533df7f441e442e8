/**
 * Writes unseen characters as `⟦U+202E⟧`, several of the same in a row as one `⟦U+0020×200⟧`. One for each text, as it
 * remembers the names that it has made: a long text may hold little else.
 */
export function marker(): (found: string) => string {
  const names = new Map<number, string>();
  const nameOf = (code: number): string => {
    const known = names.get(code);
    if (known !== undefined) return known;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    names.set(code, name);
    return name;
  };
  return (found) => {
    let all = '';
    let from = 0;
    while (from < found.length) {
      const code = found.codePointAt(from) ?? 0;
      const size = code > 0xffff ? 2 : 1;
      let end = from + size;
      while (found.codePointAt(end) === code) end += size;
      const count = (end - from) / size;
      all += count === 1 ? `⟦${nameOf(code)}⟧` : `⟦${nameOf(code)}×${count}⟧`;
      from = end;
    }
    return all;
  };
}
