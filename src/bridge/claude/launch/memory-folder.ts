import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../../base/digest.ts';
import { claimDirectory } from '../../../base/files/own-path.ts';

/** In the state folder, what the Claude of one conversation keeps for later, and reads again at each start. */
export const memoryFolder = (key: string): string => join('memory', hashId(key));

/** The path of it without links: through one Claude Code asks about each note (measured on 2.1.332). */
export const memoryPath = (stateDir: string, key: string): string =>
  join(realpathSync(stateDir), memoryFolder(key));

/** Makes it, this user's alone. @throws UnsafePathError */
export function claimMemoryFolder(stateDir: string, key: string): void {
  claimDirectory(join(stateDir, 'memory'));
  claimDirectory(join(stateDir, memoryFolder(key)));
}
