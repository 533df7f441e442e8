// Panic while no bridge can be asked: the file is laid down, or taken away, for the next start.
import type { PanicRecord } from '../protocol/panic.ts';
import { PanicFile } from './panic-file.ts';
import { claimStateDir } from './state-files.ts';

export interface LaidDown {
  record: PanicRecord;
  /** It held before. */
  already: boolean;
}

/** @throws UnsafePathError when the state directory cannot be trusted, and what the disk says */
export function layDownPanic(stateDir: string, record: PanicRecord): LaidDown {
  const file = new PanicFile(claimStateDir(stateDir));
  const before = file.load();
  if (!before) file.save(record);
  return { record: before ?? record, already: before !== undefined };
}

/** @returns what held until now */
export function liftPanic(stateDir: string): PanicRecord | undefined {
  const file = new PanicFile(stateDir);
  const before = file.load();
  if (before) file.clear();
  return before;
}
