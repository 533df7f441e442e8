type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** The most that one round counts, and a pause takes, milliseconds: on a machine that stood still, nobody has waited. */
const mostRoundMs = 500;

/**
 * Polls `probe` until it returns something truthy. A look that takes its time, as one that starts a program, is followed by
 * a pause as long: what is waited for needs the processor, too.
 * @param what a function may tell what there is by then
 * @param everyMs between two looks, where each is dear for others @throws after `ms` milliseconds, naming `what`
 */
export async function until<T>(
  what: string | (() => string),
  probe: () => T | Promise<T>,
  ms = 10_000,
  everyMs = 5,
): Promise<Truthy<T>> {
  let waited = 0;
  for (;;) {
    const before = performance.now();
    const value = await probe();
    if (value) return value as Truthy<T>;
    if (waited > ms) throw new Error(`waited ${ms} ms for ${typeof what === 'string' ? what : what()}`);
    const took = performance.now() - before;
    await new Promise((resolve) => setTimeout(resolve, Math.max(everyMs, Math.min(took, mostRoundMs))));
    waited += Math.min(performance.now() - before, mostRoundMs);
  }
}
