// Where a host listens: not in the session's folder, whose path Claude's own shell sees.
import { basename, join } from 'node:path';
import { socketPathFor } from '../../base/net/socket-place.ts';

/** @param dir the session's folder, whose name is in no other folder of the state folder */
export const hostSocketPath = (stateDir: string, dir: string): string =>
  socketPathFor(join(stateDir, 'run', `${basename(dir)}.sock`));
