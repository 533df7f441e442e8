/** A disk without room, as the file system says it, and as SQLite does. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) ||
    ('errcode' in error && error.errcode === 13));
