import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { claimDirectory } from '../base/files/own-path.ts';

/** In the state folder, what the Claude of one conversation keeps for later, and reads again at each start. */
export const memoryFolder = (key: string): string => join('memory', hashId(key));

/** Makes it, this user's alone. @throws UnsafePathError */
export function claimMemoryFolder(stateDir: string, key: string): void {
  claimDirectory(join(stateDir, 'memory'));
  claimDirectory(join(stateDir, memoryFolder(key)));
}
