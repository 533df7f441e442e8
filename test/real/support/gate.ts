/** Something a script waits for and a test lets go: holds a stream at an exact line without a sleep. */
export interface Gate {
  open(): void;
  opened: Promise<void>;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, opened: promise };
}
