const longestName = 40;

/** What people call themselves: one line without brackets, at signs and whatever is not seen. */
export function nameOf(name = ''): string {
  const seen = name
    .slice(0, 1_000)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Ps}\p{Pe}@<>"\\]+/gv, ' ')
    .trim();
  return [...seen].slice(0, longestName).join('').trim();
}
