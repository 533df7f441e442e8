/** The index holds something else than was written. What was read of it is not to be used. */
export class IndexDamage extends Error {
  /** @param message what is wrong, without a path of this machine */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IndexDamage';
  }
}

/** SQLite's primary result codes for a file that is not what it was: IOERR, CORRUPT, NOTADB. */
const damaged = new Set([10, 11, 26]);
/** The least byte of an extended code is its primary one. */
const primary = 0xff;

/**
 * Runs what reads the index.
 * @throws IndexDamage for what SQLite says of a damaged file; everything else as it is
 */
export function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) throw new IndexDamage('the database is damaged', { cause: error });
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number') return damaged.has(error.errcode & primary);
  // A text that is no UTF-8 any more, a number where a text was.
  return error instanceof RangeError;
}
