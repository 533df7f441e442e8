// What a disk refuses while a memory is stored, in words.
import { codeOf, NoteFileError } from '../files/folder.ts';
import { OutsideError } from '../files/inside.ts';
import { MemoryError } from './memory-error.ts';

/** @returns a MemoryError for what the disk or the vault refused; anything else as it is */
export function asMemoryError(error: unknown): unknown {
  if (error instanceof OutsideError) {
    const suggestion = 'Look at what stands there in the vault, or choose another topic.';
    return new MemoryError('memory_place', `${error.message} Nothing was stored.`, suggestion, error);
  }
  if (error instanceof NoteFileError) return diskError(error.code, error);
  const isOfDisk = error instanceof Error && 'syscall' in error;
  return isOfDisk ? diskError(codeOf(error), error) : error;
}

function diskError(code: string, cause: unknown): MemoryError {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const what = isFull ? 'The disk is full' : `The vault cannot be written (${code})`;
  const suggestion = isFull
    ? 'Free some disk space, then store it again.'
    : 'Check the folder for memories and its disk, then store it again.';
  return new MemoryError('memory_disk', `${what}; nothing was stored.`, suggestion, cause);
}

/** A disk that took a part of a text and said nothing: it had no more room. */
export const shortWrite = (): Error =>
  Object.assign(new Error('a part was written'), { code: 'ENOSPC', syscall: 'write' });

/** Others wrote to the note while the disk refused, so that what it had taken could not be taken back. */
export const leftBehind = (cause: unknown): MemoryError =>
  new MemoryError(
    'memory_disk',
    'The disk failed while the memory was stored, and a part of it may stand in the note.',
    'Look at the note, then store it again.',
    cause,
  );
