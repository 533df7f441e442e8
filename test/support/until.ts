type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** Polls `probe` until it returns something truthy. @throws after `ms` milliseconds, naming `what`. */
export async function until<T>(what: string, probe: () => T | Promise<T>, ms = 10_000): Promise<Truthy<T>> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value as Truthy<T>;
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
