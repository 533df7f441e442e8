/** Primary result codes of SQLite that decide what the journal does next. */
export type SqliteTrouble = 'busy' | 'full' | 'disk' | 'damaged';

/** @returns SQLite's extended result code, undefined when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/**
 * `busy` SQLITE_BUSY, LOCKED; `full` SQLITE_FULL; `disk` SQLITE_NOMEM, IOERR, CANTOPEN, AUTH, PERM;
 * everything else, and everything that Node throws over a value it cannot represent, means that the file is not what
 * we wrote.
 */
export function sqliteTrouble(error: unknown): SqliteTrouble {
  const code = resultCode(error);
  switch (code === undefined ? undefined : code & 0xff) {
    case 5:
    case 6:
      return 'busy';
    case 13:
      return 'full';
    case 3:
    case 7:
    case 10:
    case 14:
    case 23:
      return 'disk';
    default:
      return 'damaged';
  }
}
