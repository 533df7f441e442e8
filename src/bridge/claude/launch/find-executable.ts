import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The absolute path of a program as a shell would find it.
 * @param path value of PATH
 */
export function findExecutable(
  name: string,
  path: string | undefined,
  cwd = process.cwd(),
): string | undefined {
  const candidates =
    isAbsolute(name) || name.includes('/')
      ? [resolve(cwd, name)]
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
