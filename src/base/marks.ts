/** Every character as `⟦U+202E⟧`, several of the same as one `⟦U+0020×200⟧`. */
export function marks(found: string): string {
  const known = new Map<number, string>();
  let all = '';
  let from = 0;
  while (from < found.length) {
    const code = found.codePointAt(from) ?? 0;
    const size = code > 0xffff ? 2 : 1;
    let end = from + size;
    while (found.codePointAt(end) === code) end += size;
    const name = known.get(code) ?? nameOf(code);
    known.set(code, name);
    const count = (end - from) / size;
    all += count === 1 ? `⟦${name}⟧` : `⟦${name}×${count}⟧`;
    from = end;
  }
  return all;
}

const nameOf = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
