/** Throws when the program itself is wrong. Never for bad input: that gets a typed rejection. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** The end of a `switch` over a union: fails to compile when a case is missing. */
export function never(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
