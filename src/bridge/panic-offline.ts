// Panic while no bridge can be asked: the file is laid down, or taken away, for the next start, and what runs is ended.
import { systemClock } from '../base/time/clock.ts';
import type { EndedAll } from '../domain/views/control.ts';
import type { PanicRecord } from '../protocol/panic.ts';
import { endAll } from './end-all.ts';
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

/** Returns what holds. */
export const heldPanic = (stateDir: string): PanicRecord | undefined => new PanicFile(stateDir).load();

/** @returns what held until now */
export function liftPanic(stateDir: string): PanicRecord | undefined {
  const file = new PanicFile(stateDir);
  const before = file.load();
  if (before) file.clear();
  return before;
}

/** Ends every Claude Code of this state directory from outside, with all that it has started. A bridge that has them loses them. */
export const endAllOffline = (stateDir: string): Promise<EndedAll> =>
  endAll({ stateDir, env: process.env, clock: { ...systemClock, after: afterAwake } });

/** A command has nothing else that would keep it from ending. */
function afterAwake(ms: number, fn: () => void): () => void {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
}
