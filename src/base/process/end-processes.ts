// Ends processes that may not want to end: one that forks faster than it is looked for is stopped before it is killed.
import type { ProcessIdentity } from './process-identity.ts';
import { allProcesses, commandOf, lookAt, startVariable } from './process-table.ts';

/** A process that was ended. */
export interface EndedProcess extends ProcessIdentity {
  /** What it was called as. */
  command: string;
  /** Of processes. */
  group: number;
}

/** Looks in a row that have to find nothing new. */
const usualLooks = 3;
/** The same where something may fork without a pause: a list of children that change while it is read may lack some. */
export const carefulLooks = 20;
/** Between two that find nothing, ms. */
const pauseMs = 1;
/** For all looks together, ms: they block this process. */
const maxMs = 3_000;

/**
 * Stops and then kills every process that `find` names, and what `find` names then, until it names nothing new. It does not
 * wait for their ends.
 * @param find called again and again; names none that must live
 * @param looks how many in a row have to find nothing
 * @returns those that took the signals, by their numbers: another user's do not
 */
export function endProcesses(find: () => Iterable<number>, looks = usualLooks): EndedProcess[] {
  const ended = new Map<number, EndedProcess>();
  const seen = new Set<number>();
  const until = performance.now() + maxMs;
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    for (let quiet = 0; quiet < looks && performance.now() < until; ) {
      const heard: number[] = [];
      const before = seen.size;
      for (const pid of find()) {
        if (seen.has(pid)) continue;
        seen.add(pid);
        // Before anything else is done.
        if (send(pid, signal)) heard.push(pid);
      }
      for (const pid of heard) {
        const facts = lookAt(pid);
        if (!facts || hasEnded(facts)) continue;
        const { started, group } = facts;
        ended.set(pid, { pid, started, group, command: commandOf(facts) });
      }
      // Also one that had ended by then is new: where it came from there may be more.
      quiet = seen.size > before ? 0 : quiet + 1;
      if (quiet > 0) Atomics.wait(sleeper, 0, 0, pauseMs);
    }
    if (seen.size === 0) break;
    // Nothing is stopped that is not killed as well.
    if (signal === 'SIGSTOP') for (const pid of ended.keys()) send(pid, 'SIGKILL');
  }
  return [...ended.values()].sort((one, other) => one.pid - other.pid);
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Returns the processes that were started with a variable of this value, but for this one. */
export const startedWith = (name: string, value: string): number[] =>
  allProcesses().filter((pid) => pid !== process.pid && startVariable(pid, name) === value);

/** Returns whether it is only kept for its parent to ask how it ended. */
export const hasEnded = ({ state }: { state: string }): boolean => state === 'Z' || state === 'X';

/** @returns false when it is another user's */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // Otherwise it went meanwhile.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
