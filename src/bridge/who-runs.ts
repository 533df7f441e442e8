import { join } from 'node:path';
import { type Caller, judgeCaller } from '../domain/caller/caller.ts';
import { FactsReader } from './callers/caller-facts.ts';
import { hostFolders } from './terminal/host-folders.ts';

/** Returns who runs this process, as a bridge of this state directory would judge it. */
export function whoRuns(stateDir: string): Caller {
  const sessions = join(stateDir, 'sessions');
  const hosts = new Map(hostFolders(sessions).map(({ name, file }) => [file.pid, name]));
  return judgeCaller(new FactsReader({ sessions, hosts: () => hosts }).read(process.pid));
}
