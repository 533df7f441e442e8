// What goes on without a bridge, for who looks only: `ps` waits for this to load.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hostFolders } from './terminal/host-folders.ts';

export interface Outlived {
  /** Claude Codes. */
  count: number;
  /** Epoch ms of when the oldest was started. */
  since: number;
}

/** Nothing is changed. */
export function outlived(stateDir: string): Outlived {
  const sessions = join(stateDir, 'sessions');
  const folders = hostFolders(sessions);
  const since = Math.min(...folders.map(({ name }) => writtenAt(join(sessions, name, 'host.json'))));
  return { count: folders.length, since };
}

/** A host writes its file once, when it starts. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
