// What goes on when a host is gone: it was the parent of all that had detached itself, and what is left has the mark alone.
import { endProcesses, startedWith } from '../../../base/process/end-processes.ts';
import { allProcesses, startVariable } from '../../../base/process/process-table.ts';
import { runVariable } from '../../../base/process/run-mark.ts';

/** Ends what is marked as of this run. @returns each by its command */
export const sweepRun = (mark: string): string[] =>
  endProcesses(() => startedWith(runVariable, mark)).map(({ pid, command }) => `${command} (${pid})`);

/** The same for several runs, of which most have left nothing. @returns what was ended, by the mark of its run */
export function sweepRuns(marks: readonly string[]): Map<string, string[]> {
  if (marks.length === 0) return new Map();
  const found = new Set(allProcesses().map((pid) => startVariable(pid, runVariable)));
  return new Map(marks.filter((mark) => found.has(mark)).map((mark) => [mark, sweepRun(mark)]));
}
