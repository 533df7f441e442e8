import { join } from 'node:path';
import { hashId } from '../../../base/digest.ts';
import { claimDirectory } from '../../../base/files/own-path.ts';

/** Where a session keeps its files. The key is foreign text, so only its hash becomes a path. */
export const sessionDir = (stateDir: string, key: string): string => join(stateDir, 'sessions', hashId(key));

/** Makes that directory, and the one above it, this user's alone. @throws UnsafePathError */
export function claimSessionDir(stateDir: string, key: string): string {
  claimDirectory(join(stateDir, 'sessions'));
  return claimDirectory(sessionDir(stateDir, key));
}
