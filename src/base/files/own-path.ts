// What nobody but this user may have made or could replace. The state folder and the control socket lie behind this door.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A place that somebody else may have made, can read or could replace. It was not used, and not changed. */
export class UnsafePathError extends Error {
  readonly code = 'state_dir_unsafe';
  /** What to do next, a whole sentence like the message. */
  readonly suggestion: string;

  constructor(path: string, why: string, suggestion = 'Move it away, or choose another --state-dir.') {
    super(`${path} ${why}.`);
    this.name = 'UnsafePathError';
    this.suggestion = suggestion;
  }
}

/** @throws UnsafePathError when it is somebody else's */
export function requireOurs(path: string, { uid }: Stats): void {
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own) throw new UnsafePathError(path, 'belongs to another user');
}

/**
 * What stands in the place of a directory. Nothing is changed.
 * @returns its mode, undefined when nothing is there yet
 * @throws UnsafePathError when it is a link, no directory, or somebody else's
 */
export function lookAtDirectory(dir: string): number | undefined {
  // Without a slash at the end, behind which a link would be followed.
  const path = resolve(dir);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) throw new UnsafePathError(path, 'is a symbolic link');
  if (!stats.isDirectory()) throw new UnsafePathError(path, 'is not a directory');
  requireOurs(path, stats);
  return stats.mode & 0o777;
}

/**
 * @returns false when nothing is there
 * @throws UnsafePathError as `lookAtDirectory`, and when others can look into it or write there
 */
export function isClosedDirectory(dir: string): boolean {
  const mode = lookAtDirectory(dir);
  if (mode === undefined || process.platform === 'win32' || (mode & 0o077) === 0) return mode !== undefined;
  const path = resolve(dir);
  const remedy = `Look what is in it; \`chmod go= ${path}\` closes it, or choose another --state-dir.`;
  throw new UnsafePathError(path, `is open to others (${mode.toString(8).padStart(4, '0')})`, remedy);
}

/**
 * Creates `dir` (and its parents) when missing, and makes it 0700.
 * Links above it are the owner's business (`/tmp` is one on macOS); the directory itself must not be one.
 * @returns its absolute path
 * @throws UnsafePathError when it is a link, no directory, or somebody else's
 */
export function claimDirectory(dir: string): string {
  const path = resolve(dir);
  if (lookAtDirectory(path) === undefined) makeDirectory(path);
  const mode = lookAtDirectory(path);
  if (mode !== 0o700 && process.platform !== 'win32') closeToOthers(path);
  return path;
}

/** The last one by itself: of a `recursive` one that a read-only disk refuses, Node says ENOENT. */
function makeDirectory(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody was faster; it is looked at next.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** By descriptor: whoever could write above it might put a link there after the look. */
function closeToOthers(path: string): void {
  const dir = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    requireOurs(path, fstatSync(dir));
    fchmodSync(dir, 0o700);
  } finally {
    closeSync(dir);
  }
}
