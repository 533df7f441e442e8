import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without links; of what does not exist, as far as it does. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch {
      // What cannot be looked at is taken by its name.
      if (dirname(at) === at) return path;
      missing.unshift(basename(at));
    }
  }
}
