// The folder of a control socket decides who is on its other end: whoever can write there can put a socket of his own in
// the bridge's place, and show an operator questions that nobody asked. So both ends look at it before they use it.
import { lstatSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { claimDirectory, isClosedDirectory, requireOurs, UnsafePathError } from '../files/own-path.ts';

/**
 * Makes room for a socket at `path`: its folder is made when missing, a socket that a killed bridge left behind goes.
 * @throws UnsafePathError
 */
export function claimSocketPath(path: string): void {
  // A named pipe is in no folder.
  if (process.platform === 'win32') return;
  if (!isClosedDirectory(dirname(path))) claimDirectory(dirname(path));
  if (isOwnSocket(path)) unlinkSync(path);
}

/**
 * @returns whether there is a socket at `path`, in a folder where nobody but this user can have put it
 * @throws UnsafePathError when somebody else may have
 */
export function isSafeSocket(path: string): boolean {
  return process.platform === 'win32' || (isClosedDirectory(dirname(path)) && isOwnSocket(path));
}

function isOwnSocket(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (stats.isSymbolicLink()) throw new UnsafePathError(path, 'is a symbolic link');
  if (!stats.isSocket()) throw new UnsafePathError(path, 'is not a socket');
  requireOurs(path, stats);
  return true;
}
