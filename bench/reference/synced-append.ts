// The least that has a line survive a power cut.
import { fdatasync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/** @returns what appends a line to the file, and resolves when it is on disk */
export function syncedAppend(path: string): (line: string) => Promise<void> {
  const fd = openSync(path, 'a', 0o600);
  return (line) => {
    writeSync(fd, line);
    return sync(fd);
  };
}
