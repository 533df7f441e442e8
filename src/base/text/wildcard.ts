/** Whether a text fits a pattern in which `*` stands for any text, also for none. Everything else is literal. */
export function fitsWildcard(pattern: string, text: string): boolean {
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop();
  if (end === undefined) return text === start;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  // The first place of each is as good as any later one: it leaves the most for those behind it.
  let at = start.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}
