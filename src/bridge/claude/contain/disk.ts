// What has to be known of the disk before something can be mounted.
import { readdirSync, realpathSync, statSync } from 'node:fs';

export interface Disk {
  /** The path without links; undefined when nothing is there. */
  real(path: string): string | undefined;
  kind(path: string): 'folder' | 'file' | undefined;
  /** What a folder holds; nothing for what is none. */
  names(path: string): string[];
}

export const realDisk: Disk = {
  real: (path) => tried(() => realpathSync(path)),
  kind: (path) => tried(() => (statSync(path).isDirectory() ? 'folder' : 'file')),
  names: (path) => tried(() => readdirSync(path)) ?? [],
};

function tried<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
