/** Whether a text fits a pattern in which `*` stands for any text, also for none. Everything else is literal. */
export function fitsWildcard(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(text);
}
