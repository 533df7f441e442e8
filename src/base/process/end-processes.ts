// Ends processes that may not want to end: one that forks faster than it is looked for is stopped before it is killed.
import { allProcesses, commandOf, lookAt, startVariable } from './process-table.ts';

/** A process that was ended. */
export interface EndedProcess {
  pid: number;
  /** What it was called as. */
  command: string;
  /** Of processes. */
  group: number;
}

/** Looks in a row that have to find nothing new: a process that was just born is in no list yet. */
const quietLooks = 3;
/** For all looks together, ms: they block this process. */
const maxMs = 500;

/**
 * Stops and then kills every process that `find` names, and what `find` names then, until it names nothing new. It does not
 * wait for their ends.
 * @param find called again and again; names none that must live
 */
export function endProcesses(find: () => Iterable<number>): EndedProcess[] {
  const ended = new Map<number, EndedProcess>();
  const until = performance.now() + maxMs;
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    for (let quiet = 0; quiet < quietLooks && performance.now() < until; ) {
      let isNew = false;
      for (const pid of find()) {
        if (ended.has(pid)) continue;
        const facts = lookAt(pid);
        if (!facts || hasEnded(facts)) continue;
        ended.set(pid, { pid, command: commandOf(facts), group: facts.group });
        isNew = true;
        send(pid, signal);
      }
      quiet = isNew ? 0 : quiet + 1;
    }
    // Nothing is stopped that is not killed as well.
    if (signal === 'SIGSTOP') for (const pid of ended.keys()) send(pid, 'SIGKILL');
  }
  return [...ended.values()];
}

/** Returns the processes that were started with a variable of this value, but for this one. */
export const startedWith = (name: string, value: string): number[] =>
  allProcesses().filter((pid) => pid !== process.pid && startVariable(pid, name) === value);

/** Returns whether it is only kept for its parent to ask how it ended. */
export const hasEnded = ({ state }: { state: string }): boolean => state === 'Z' || state === 'X';

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went meanwhile, or is another user's.
  }
}
