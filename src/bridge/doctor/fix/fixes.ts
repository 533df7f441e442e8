import { lookAtDirectory, UnsafePathError } from '../../../base/files/own-path.ts';
import { claimStateDir } from '../../state-files.ts';
import { carriedOut, type Fix, type Fixed } from './fix.ts';
import { leftovers } from './leftovers.ts';
import { closing, openPaths } from './open-paths.ts';

export interface FixOptions {
  stateDir: string;
  /** A bridge runs there: what is in the folder is its own. */
  isRunning: boolean;
}

/** Sets right what is safe. A second call finds nothing to do. What it does not dare, the checks say. */
export async function fixed({ stateDir, isRunning }: FixOptions): Promise<Fixed[]> {
  try {
    if (lookAtDirectory(stateDir) === undefined) return await carriedOut([made(stateDir)]);
    const closed = await carriedOut(closing(stateDir));
    // Nothing is believed of what lies in a folder that is open to others.
    if (isRunning || openPaths(stateDir).length > 0) return closed;
    return [...closed, ...(await carriedOut(leftovers(stateDir)))];
  } catch (error) {
    if (error instanceof UnsafePathError) return [];
    throw error;
  }
}

const made = (stateDir: string): Fix => ({
  name: 'state',
  did: `${stateDir} is made, for this user alone.`,
  carryOut: () => void claimStateDir(stateDir),
});
