// Files of this user alone, 0600, in folders of this user alone. What lies in the state folder is opened here and nowhere
// else: the folder may have been open to others before it was ours alone, and links, hard links, FIFOs and files of
// theirs may still lie in it.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { requireOurs, UnsafePathError } from './own-path.ts';

/**
 * Opens a file of this user, and nothing else. It is neither followed, when it is a link, nor waited for, when it is a
 * FIFO. Emptied it is not either: do that with the descriptor.
 * @param flags of `node:fs` constants; with one that writes, the file is made 0600
 * @throws UnsafePathError, or what the file system throws
 */
export function openPrivate(path: string, flags: number): number {
  const file = opened(path, flags);
  try {
    const stats = fstatSync(file);
    requirePlain(path, stats);
    if (flags & (constants.O_WRONLY | constants.O_RDWR) && (stats.mode & 0o777) !== 0o600)
      fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @returns undefined when there is none. @throws as `openPrivate` */
export function readPrivate(path: string): string | undefined {
  try {
    const file = openPrivate(path, constants.O_RDONLY);
    try {
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whole or not at all, readable by the user alone; a link in its place is replaced, not followed.
 * @param options.sync its content is on disk when this returns; `syncFolder` does the same for its name
 */
export function writePrivate(
  path: string,
  content: string | Uint8Array,
  options: { sync?: boolean } = {},
): void {
  const draft = `${path}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    if (options.sync) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    lookAtFile(path);
    throw error;
  }
}

/**
 * Checks a file before something else opens it by name, and makes it 0600. It is not opened: closing any descriptor of
 * a database would drop this process's locks on it.
 * @returns its size in bytes, undefined when it does not exist
 * @throws UnsafePathError when it is a link, not a plain file, or somebody else's
 */
export function claimFile(path: string): number | undefined {
  const stats = lookAtFile(path);
  if (stats && (stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
  return stats?.size;
}

/**
 * What stands in the place of a file. Nothing is changed.
 * @returns undefined when nothing is there
 * @throws UnsafePathError when it is a link, not a plain file, or somebody else's
 */
export function lookAtFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw new UnsafePathError(path, 'is a symbolic link');
  if (stats) requirePlain(path, stats);
  return stats;
}

function requirePlain(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new UnsafePathError(path, 'is not a plain file');
  requireOurs(path, stats);
  if (stats.nlink > 1 && hasNameElsewhere(path, stats)) {
    throw new UnsafePathError(path, 'has a second name in another folder (a hard link)');
  }
}

/** Names in its own folder we gave it ourselves: a lock, a journal that is being rebuilt. */
function hasNameElsewhere(path: string, { dev, ino }: Stats): boolean {
  const dir = dirname(path);
  const beside = readdirSync(dir).filter((name) => {
    const other = lstatSync(join(dir, name), { throwIfNoEntry: false });
    return other?.ino === ino && other.dev === dev;
  });
  // Counted again: such a name is taken away as soon as it has served.
  return (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 0) > beside.length;
}

function opened(path: string, flags: number): number {
  try {
    return openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    // In words, when it is for what stands there.
    lookAtFile(path);
    throw error;
  }
}

/** What was created, renamed or removed in a folder is on disk when this returns. Windows knows no such thing. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
