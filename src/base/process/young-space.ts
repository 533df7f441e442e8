/**
 * V8's room for young objects grows no more; it doubles whenever as much as it holds outlives a collection, up to 128 MB
 * (Node 24.21), and a program that goes on for months has what one busy minute has needed. Collections are more frequent
 * then, and each has less to do: the same CPU time (measured). With a flag on the command line Node would compile its own
 * parts anew.
 */
export const keepYoungSpace = (): void => setGrowth(1);

/**
 * The same while `work` goes on, of which little stays: 2 MB more of room would be memory that is touched once, and make V8
 * begin to look through all objects right behind it, 13 ms of a start (measured). Nothing that was compiled before may be
 * loaded meanwhile, because V8 takes none of it under another flag.
 */
export function inYoungSpaceAsItIs<T>(work: () => T): T {
  keepYoungSpace();
  try {
    return work();
  } finally {
    setGrowth(2);
  }
}

/** Short commands have no use for that module of Node. */
const setGrowth = (factor: number): void =>
  process.getBuiltinModule('node:v8').setFlagsFromString(`--semi-space-growth-factor=${factor}`);
