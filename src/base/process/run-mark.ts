// What the environment of each Claude Code says of its run, so that what it started can be told from what a person did, also
// where that was handed to a program of somebody else's, such as atd, and when its host is gone.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashId } from '../digest.ts';

/** The variable. A process can take it off what it starts: it proves what it is found on, and its absence proves nothing. */
export const runVariable = 'SYNTHESIS_RUN';

/** Returns the mark of a run. @param dir folder of its session, in that of all sessions */
export const runMark = (dir: string, run: string): string => `${folderMark(dirname(dir))}.${run}`;

/** Returns whether it is of a run of any session in this folder. */
export const isMarkOf = (sessions: string, mark: string): boolean =>
  mark.startsWith(`${folderMark(sessions)}.`);

/** Returns what tells the run that a mark is of; undefined for a mark of another folder of sessions. */
export function runsIn(sessions: string): (mark: string) => string | undefined {
  const start = `${folderMark(sessions)}.`;
  return (mark) => (mark.startsWith(start) ? mark.slice(start.length) : undefined);
}

/** However it is spelled. */
function folderMark(sessions: string): string {
  try {
    return hashId(realpathSync(sessions));
  } catch {
    return hashId(sessions);
  }
}
