// What bubblewrap contains. It has two processes: the one that was started, and below it the first one of the namespace, which
// starts the program and reaps what that leaves behind.
import { childrenOf, eachDescendant, lookAt } from '../../base/process/process-table.ts';

/**
 * Returns the program, and then what else is in its process group; empty while there is none.
 * @param pid of the process that was started
 */
export function containedIn(pid: number): number[] {
  const [first] = childrenOf(pid);
  const [program] = first === undefined ? [] : childrenOf(first);
  if (first === undefined || program === undefined) return [];
  const more = [...eachDescendant(first)].filter((each) => each !== program && lookAt(each)?.group === pid);
  return [program, ...more];
}
