// In a session's folder, where long texts are put for the editor: a contained Claude Code takes them from there.
import { join } from 'node:path';
import { claimDirectory } from '../../../base/files/own-path.ts';

export const textFolder = (dir: string): string => join(dir, 'contain', 'text');

/** Makes it, this user's alone. @throws UnsafePathError */
export function claimTextFolder(dir: string): string {
  claimDirectory(join(dir, 'contain'));
  return claimDirectory(textFolder(dir));
}
