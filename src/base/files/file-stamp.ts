import { lstatSync } from 'node:fs';

/**
 * Tells two states of a file apart without reading it: by device, inode, size, and both times in nanoseconds. A file that
 * is replaced whole has another inode. Nothing is followed.
 * @returns undefined when nothing is there. @throws what the file system throws
 */
export function fileStamp(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
}
