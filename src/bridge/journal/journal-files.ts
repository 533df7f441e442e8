import { join } from 'node:path';
import { claimStateDir, claimStateFile } from './state-dir.ts';

/** Where the journal's files lie in the state directory. */
export interface JournalFiles {
  dir: string;
  db: string;
  wal: string;
  head: string;
}

/** @throws UnsafeStateDirError when the directory, or a file that SQLite would open in it, is not safely ours */
export function claimJournalFiles(stateDir: string): JournalFiles {
  const dir = claimStateDir(stateDir);
  const files = {
    dir,
    db: join(dir, 'journal.db'),
    wal: join(dir, 'journal.db-wal'),
    head: join(dir, 'journal.head'),
  };
  for (const path of [files.db, files.wal, `${files.db}-shm`, `${files.db}-journal`, files.head]) {
    claimStateFile(path);
  }
  return files;
}
