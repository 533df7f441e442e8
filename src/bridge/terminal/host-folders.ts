// Where hosts say they are. Loaded with the bridge, unlike what talks to them.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtDirectory } from '../../base/files/own-path.ts';
import { readPrivate } from '../../base/files/private-file.ts';
import { isAlive, readIdentity } from '../../base/process/process-identity.ts';
import type { HostFile } from '../../protocol/wire/host.ts';

export interface HostFolder {
  /** Of the session's folder. */
  name: string;
  file: HostFile;
}

/** Those whose process is there. @param sessions the folder of the sessions' folders */
export const hostFolders = (sessions: string): HostFolder[] =>
  allHosts(sessions).filter(({ file }) => isAlive(file));

/** Those that ended without taking their file away: killed, or cut off with the machine. */
export const goneHosts = (sessions: string): HostFolder[] =>
  allHosts(sessions).filter(({ file }) => !isAlive(file));

const allHosts = (sessions: string): HostFolder[] =>
  namesIn(sessions).flatMap((name) => {
    const file = hostFileIn(join(sessions, name));
    return file ? { name, file } : [];
  });

function namesIn(dir: string): string[] {
  try {
    return lookAtDirectory(dir) === undefined ? [] : readdirSync(dir);
  } catch {
    // Somebody else may have made it.
    return [];
  }
}

/**
 * What a session's folder says of its host, which may be gone.
 * @returns undefined when it says nothing of use, or somebody else may have made it
 */
export function hostFileIn(dir: string): HostFile | undefined {
  const path = join(dir, 'host.json');
  try {
    // Most folders have none.
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    lookAtDirectory(dir);
    const content: Partial<HostFile> = JSON.parse(readPrivate(path) ?? 'null') ?? {};
    const identity = readIdentity(content);
    const { run, socket } = content;
    // What is no process of its own is a group, or all of them, when it is signalled.
    const isProcess = identity !== undefined && Number.isSafeInteger(identity.pid) && identity.pid > 1;
    if (!isProcess || typeof run !== 'string' || typeof socket !== 'string') return undefined;
    return { run, ...identity, socket };
  } catch {
    return undefined;
  }
}
