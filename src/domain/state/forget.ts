/** Without the first of those that are `over`, of which `kept` stay. What is not over is never forgotten. */
export function forgetOldest<T>(all: readonly T[], over: readonly T[], kept: number): readonly T[] {
  if (over.length <= kept) return all;
  const gone = new Set(over.slice(0, over.length - kept));
  return all.filter((each) => !gone.has(each));
}
