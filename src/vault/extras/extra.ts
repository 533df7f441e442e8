// npm packages that only some people use. They are no dependencies of ours: whoever wants one has it installed into the
// state folder, in the versions of the lockfile that we ship.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../base/digest.ts';
import { shippedExtras } from '../programs.ts';

export type ExtraName = 'lancedb' | 'sentence-encoder';

/** Where it is once it is installed; its packages are in `node_modules`. Another lockfile of ours is another folder. */
export function extraFolder(stateDir: string, name: ExtraName): string {
  const lockfile = readFileSync(join(shippedExtra(name), 'package-lock.json'), 'utf8');
  return join(extrasFolder(stateDir), `${name}-${hashId(lockfile, 8)}`);
}

/** Whether this version's is there, and whole. */
export const isInstalled = (stateDir: string, name: ExtraName): boolean =>
  existsSync(extraFolder(stateDir, name));

/** Folder of all that are installed. */
export const extrasFolder = (stateDir: string): string => join(stateDir, 'vault', 'extras');

/** Folder of what we ship of it: a manifest and a lockfile. */
export const shippedExtra = (name: ExtraName): string => join(shippedExtras, name);
