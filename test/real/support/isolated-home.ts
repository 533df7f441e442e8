import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A home directory of its own for one test file, with the folders a desktop would have. */
export interface IsolatedHome extends AsyncDisposable {
  /** Absolute, symlinks resolved: Claude Code keys its trust list by the real path. */
  path: string;
  /** Creates a directory below the home and returns its absolute path. */
  directory(name: string): Promise<string>;
}

/** @param prefix first part of the directory name, for whoever looks at what is left over */
export async function isolatedHome(prefix: string): Promise<IsolatedHome> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `synthesis-${prefix}-`)));
  const directory = async (name: string) => {
    await mkdir(join(path, name), { recursive: true, mode: 0o700 });
    return join(path, name);
  };
  for (const name of ['tmp', 'run', '.config', '.cache', '.local/state', 'work']) await directory(name);
  return {
    path,
    directory,
    // A peer that was just killed may still be writing its last file.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
