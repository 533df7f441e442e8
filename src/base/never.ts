/** The end of a `switch` over a union: fails to compile when a case is missing. */
export function never(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
