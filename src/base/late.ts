/** @returns what hands out what `make` makes, once it is asked for: a start need not wait for all that may be needed */
export function late<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
