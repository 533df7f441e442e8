import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** Larger files are not compared, bytes. */
const mostBytes = 1_000_000;

export interface Now {
  /** '' where there is none. */
  text: string;
  /** What has to be known of it, in words. */
  note: string;
}

/** What a file holds, as far as the operator's own user may read it. Never rejects, and waits for no pipe. */
export async function readNow(path: string): Promise<Now> {
  if (!isAbsolute(path))
    return { text: '', note: 'Its path is not absolute, so the file was not looked at.' };
  try {
    // Of a pipe the opening itself would wait for its other end.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = await file.stat();
    if (!about.isFile()) return { text: '', note: 'It is no ordinary file, and was not read.' };
    if (about.size > mostBytes)
      return { text: '', note: 'The file is too large to compare: all is shown as new.' };
    return { text: await file.readFile('utf8'), note: 'Compared with the file as it is now.' };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return { text: '', note: 'There is no such file yet: all of it is new.' };
    return { text: '', note: `The file could not be read (${code}): all is shown as new.` };
  }
}
