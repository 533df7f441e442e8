// What of the state folder others can look into.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory, lookAtDirectory } from '../../../base/files/own-path.ts';
import { claimFile, lookAtFile } from '../../../base/files/private-file.ts';
import { stateFiles, stateFolders } from '../../state-files.ts';
import type { Fix } from './fix.ts';

export interface OpenPath {
  path: string;
  /** As `ls` would have it in octal, without the type. */
  mode: number;
  /** Others could have put something there: a person has to look first. */
  isWritable: boolean;
  claim(): void;
}

/** @throws UnsafePathError for what is a link, or somebody else's */
export function openPaths(stateDir: string): OpenPath[] {
  if (lookAtDirectory(stateDir) === undefined || process.platform === 'win32') return [];
  const at = (each: string) => join(stateDir, each);
  const folders = [stateDir, ...stateFolders.map(at)];
  const files = stateFiles.map(at);
  for (const folder of folders) lookAtDirectory(folder);
  for (const file of files) lookAtFile(file);
  return [
    ...folders.map((path) => ({ path, claim: () => void claimDirectory(path) })),
    ...files.map((path) => ({ path, claim: () => void claimFile(path) })),
  ].flatMap((each) => {
    const mode = (lstatSync(each.path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & 0o077) === 0 ? [] : [{ ...each, mode, isWritable: (mode & 0o022) !== 0 }];
  });
}

/** Those that others could only read. Behind a folder that they could write in, none: a person looks first. */
export function closing(stateDir: string): Fix[] {
  const open = openPaths(stateDir);
  if (open.some(({ isWritable }) => isWritable)) return [];
  return open.map(({ path, mode, claim }) => ({
    name: 'state',
    did: `${path} is closed to others (it was ${mode.toString(8).padStart(4, '0')}).`,
    carryOut: claim,
  }));
}
