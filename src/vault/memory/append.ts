// Writes behind the end of a note, and nowhere else: what its user has written stays as it is, to the byte.
import { fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { leftBehind, shortWrite } from './disk-error.ts';

/**
 * In one write, on the disk when this returns.
 * @param fd opened with O_APPEND, for reading as well
 * @param intend is told where the note ends and what will be written there, before it is
 * @throws what the file system throws, the note being as before; MemoryError when that could not be had
 */
export function append(fd: number, text: string, intend: (size: number, bytes: Buffer) => void): void {
  const { size } = fstatSync(fd);
  const bytes = Buffer.from(hasLineEnd(fd, size) ? text : `\n${text}`);
  intend(size, bytes);
  let written = 0;
  try {
    written = writeSync(fd, bytes);
    if (written < bytes.length) throw shortWrite();
    fsyncSync(fd);
  } catch (error) {
    takeBack(fd, size, written, error);
    throw error;
  }
}

/** Whether what is written next begins a line. */
function hasLineEnd(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === 0x0a;
}

/** Not when somebody else has written meanwhile: it is his now. */
function takeBack(fd: number, size: number, written: number, cause: unknown): void {
  if (written === 0) return;
  try {
    if (fstatSync(fd).size === size + written) {
      ftruncateSync(fd, size);
      fsyncSync(fd);
      return;
    }
  } catch {
    // The disk is gone altogether.
  }
  throw leftBehind(cause);
}
