// What goes on when a host is gone: it was the parent of all that had detached itself, and what is left has the mark alone.
import { endProcesses, startedWith } from '../../../base/process/end-processes.ts';
import { runVariable } from '../../../base/process/run-mark.ts';

/** Ends what is marked as of this run. @returns each by its command */
export const sweepRun = (mark: string): string[] =>
  endProcesses(() => startedWith(runVariable, mark)).map(({ pid, command }) => `${command} (${pid})`);
