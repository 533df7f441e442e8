// Everything the bridge remembers lies in one directory: 0700, ours, not a link; the files in it 0600.
import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { UnsafeStateDirError } from './journal-error.ts';

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function requireOurs(path: string, stats: Stats): void {
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) throw new UnsafeStateDirError(path, 'belongs to another user');
}

function closeToOthers(path: string, stats: Stats, mode: number): void {
  if ((stats.mode & 0o777) !== mode) chmodSync(path, mode);
}

/**
 * What stands in the place of the state directory. Nothing is changed.
 * @returns its mode, undefined when nothing is there yet
 * @throws UnsafeStateDirError when it is a link, no directory, or somebody else's
 */
export function lookAtStateDir(dir: string): number | undefined {
  const path = resolve(dir);
  const stats = statOf(path);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) throw new UnsafeStateDirError(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw new UnsafeStateDirError(path, 'is not a directory');
  requireOurs(path, stats);
  return stats.mode & 0o777;
}

/**
 * Creates `dir` (and its parents) when missing, and makes it 0700.
 * Links above it are the owner's business (`/tmp` is one on macOS); the directory itself must not be one.
 * @returns its absolute path
 * @throws UnsafeStateDirError when it is a link, no directory, or somebody else's
 */
export function claimStateDir(dir: string): string {
  const path = resolve(dir);
  if (!statOf(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  lookAtStateDir(path);
  closeToOthers(path, lstatSync(path), 0o700);
  return path;
}

/**
 * Checks a file in the state directory before something opens it by name, and makes it 0600.
 * @returns its size in bytes, undefined when it does not exist
 * @throws UnsafeStateDirError when it is a link, not a plain file, or somebody else's
 */
export function claimStateFile(path: string): number | undefined {
  const stats = statOf(path);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) throw new UnsafeStateDirError(path, 'is a symbolic link');
  if (!stats.isFile()) throw new UnsafeStateDirError(path, 'is not a plain file');
  requireOurs(path, stats);
  closeToOthers(path, stats, 0o600);
  return stats.size;
}
