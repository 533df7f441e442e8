// Opens notes inside of the vault and nothing else: no link is followed, at the end or on the way, whoever puts one there
// and when; no FIFO is waited for; what is hidden stays so.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { asNoteError, codeOf, Folder, NoteFileError, refuseUnlisted, requireExactName } from './folder.ts';
import { inside, OutsideError } from './inside.ts';

/**
 * Opens a plain file that exists.
 * @param root absolute path of the vault
 * @param name as somebody gave it, its parts behind `/`
 * @param flags of `node:fs` constants; none that creates or empties, as the file is looked at once it is open
 * @returns a descriptor, to be closed
 * @throws OutsideError, NoteFileError
 */
export function openInside(root: string, name: string, flags: number): number {
  const path = inside(root, name);
  const end = path.lastIndexOf('/');
  using folder = Folder.open(root, path.slice(0, Math.max(0, end)), name);
  return openIn(folder, path.slice(end + 1), flags, name);
}

/** As `openInside`, in a folder that is open already. @param name for messages */
export function openIn(folder: Folder, part: string, flags: number, name: string): number {
  if (flags & (constants.O_CREAT | constants.O_TRUNC))
    throw new RangeError('opens files that exist, as they are');
  refuseUnlisted(name, part);
  try {
    // Looked at first, as it may do something to a device to open it.
    const stats = lstatSync(folder.at(part));
    requirePlain(name, stats);
    requireExactName(name, folder.at(''), part, stats);
    const fd = openSync(folder.at(part), flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      requirePlain(name, fstatSync(fd));
      folder.requireStillInPlace();
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new OutsideError(name, 'is a link');
    if (codeOf(error) === 'ENXIO') throw new OutsideError(name, 'is not a plain file');
    throw asNoteError(name, error);
  }
}

/**
 * All of a note.
 * @throws OutsideError; NoteFileError, with the code EFBIG when it is larger than `maxBytes`
 */
export function readInside(root: string, name: string, maxBytes: number): Buffer {
  const fd = openInside(root, name, constants.O_RDONLY);
  try {
    return readAll(fd, name, maxBytes);
  } finally {
    closeSync(fd);
  }
}

/** From its beginning to its end, wherever the descriptor stands. @throws as `readInside` */
export function readAll(fd: number, name: string, maxBytes: number): Buffer {
  const { size } = fstatSync(fd);
  if (size > maxBytes) throw new NoteFileError(name, 'EFBIG');
  // It may have grown since: what is behind the size it had is of the next look.
  const all = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, all, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return all.subarray(0, length);
}

function requirePlain(name: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new OutsideError(name, 'is a link');
  if (!stats.isFile()) throw new OutsideError(name, 'is not a plain file');
}
