import { statSync } from 'node:fs';

/** Whether a path is that of a file: it is one, or there is nothing and it is called like one. */
export function isFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? !found.isDirectory() : /[^/]\.[^/.]{1,10}$|\/\.env[^/]*$/.test(path);
}
