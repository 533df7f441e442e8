type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** The most that one round counts, milliseconds: on a machine that stood still, nobody has waited. */
const mostRoundMs = 500;

/**
 * Polls `probe` until it returns something truthy.
 * @param everyMs between two looks, where each is dear @throws after `ms` milliseconds, naming `what`
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  ms = 10_000,
  everyMs = 5,
): Promise<Truthy<T>> {
  let waited = 0;
  for (;;) {
    const before = performance.now();
    const value = await probe();
    if (value) return value as Truthy<T>;
    if (waited > ms) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    waited += Math.min(performance.now() - before, mostRoundMs);
  }
}
