import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../base/digest.ts';
import { newId } from '../../base/ids.ts';

/** Where a session keeps its files. The key is foreign text, so only its hash becomes a path. */
export const sessionDir = (stateDir: string, key: string): string => join(stateDir, 'sessions', hashId(key));

/**
 * Creates `dir` for its owner alone.
 * @throws when it exists as something else than a directory of this user (a planted link, for example).
 */
export function ownDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = lstatSync(dir);
  if (!stat.isDirectory()) throw new Error(`${dir} is not a directory`);
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) throw new Error(`${dir} belongs to another user`);
}

/** Replaces a file atomically, readable and writable by its owner only. Never follows a link. */
export function writePrivate(dir: string, name: string, content: string): void {
  const temporary = join(dir, `.${name}.${newId('w')}`);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(temporary, join(dir, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
