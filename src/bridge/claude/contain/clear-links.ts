// Claude's shell writes to the folders that stand for others inside. bubblewrap makes places for mounts in them, from outside:
// through a link it would make them where that leads.
import { lstatSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holds, type Mount } from './contain-args.ts';

/** Removes links on the way to each place that is to be made. @throws the system's error */
export function clearLinks(mounts: readonly Mount[]): void {
  for (const mount of mounts) {
    if (!('from' in mount) || mount.from === undefined) continue;
    for (const { path } of mounts) {
      if (path === mount.path || !holds(mount.path, path)) continue;
      let at = mount.from;
      for (const part of relative(mount.path, path).split('/')) {
        at = join(at, part);
        if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(at);
      }
    }
  }
}
