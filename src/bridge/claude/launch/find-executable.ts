import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/**
 * The absolute path of a program as a shell would find it. The working folder, which may be gone, is looked at only for
 * a path that begins there.
 * @param path value of PATH
 */
export function findExecutable(name: string, path: string | undefined): string | undefined {
  const candidates = name.includes('/')
    ? [resolve(name)]
    : (path ?? '')
        .split(delimiter)
        .filter(Boolean)
        .map((dir) => join(dir, name));
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
