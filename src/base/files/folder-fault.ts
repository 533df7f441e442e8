import { constants } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { access, stat } from './promised-fs.ts';

/** A disk in a network that is gone answers never, ms. */
const patienceMs = 2_000;

/**
 * Why nobody can work in a folder, as the end of a sentence that begins with its path; undefined when one can.
 * Never rejects.
 */
export async function folderFault(path: string): Promise<string | undefined> {
  const over = new AbortController();
  const late = delay(patienceMs, 'does not answer: its disk may be gone', { signal: over.signal });
  try {
    return await Promise.race([look(path), late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

async function look(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return 'is no folder';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
    return code === 'EACCES' ? 'cannot be opened by this user' : `cannot be opened (${code})`;
  }
}
