import { join } from 'node:path';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { claimFile } from '../../../base/files/private-file.ts';
import { archiveFolder } from '../archive/segments.ts';

/** Where the journal's files lie in the state directory. */
export interface JournalFiles {
  dir: string;
  db: string;
  wal: string;
  head: string;
  reserve: string;
  /** A folder, made when the first rows are archived. */
  archive: string;
}

/** @throws UnsafePathError when the directory, or a file that SQLite would open in it, is not safely ours */
export function claimJournalFiles(stateDir: string): JournalFiles {
  const dir = claimDirectory(stateDir);
  const files = {
    dir,
    db: join(dir, 'journal.db'),
    wal: join(dir, 'journal.db-wal'),
    head: join(dir, 'journal.head'),
    reserve: join(dir, 'journal.reserve'),
    archive: archiveFolder(dir),
  };
  for (const path of [
    files.db,
    files.wal,
    `${files.db}-shm`,
    `${files.db}-journal`,
    files.head,
    files.reserve,
  ]) {
    claimFile(path);
  }
  return files;
}
