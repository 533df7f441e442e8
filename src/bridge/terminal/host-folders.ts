// Where hosts of an earlier start say they are. Loaded with the bridge, unlike what talks to them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivate } from '../../base/private-file.ts';
import { isAlive } from '../../base/process-identity.ts';
import type { HostFile } from '../../protocol/host.ts';

export interface HostFolder {
  /** Of the session's folder. */
  name: string;
  file: HostFile;
}

/** Those whose process is there. @param sessions the folder of the sessions' folders */
export function hostFolders(sessions: string): HostFolder[] {
  return namesIn(sessions).flatMap((name) => {
    const file = hostFileIn(join(sessions, name));
    return file && isAlive(file) ? { name, file } : [];
  });
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // Nobody ever had a session.
    return [];
  }
}

/** @returns undefined for none, or one that says nothing of use */
function hostFileIn(dir: string): HostFile | undefined {
  try {
    const { run, pid, started, socket } = JSON.parse(
      readPrivate(join(dir, 'host.json')) ?? '{}',
    ) as Partial<HostFile>;
    if (run === undefined || pid === undefined || socket === undefined) return undefined;
    return { run, pid, started: started ?? '', socket };
  } catch {
    return undefined;
  }
}
