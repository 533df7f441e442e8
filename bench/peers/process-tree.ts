// Who started whom, as the kernel tells it. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { proportionalBytes } from '../harness/process-cost.ts';

/** @throws when there is no such process */
export function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
}

/** Memory of a process and of everything that comes from it, bytes: what they share with others counts by its share. */
export const treeBytes = (root: number): number =>
  treeOf(root).reduce((sum, pid) => sum + (unlessEnded(() => proportionalBytes(pid)) ?? 0), 0);

function treeOf(root: number): number[] {
  const children = Map.groupBy(running(), ({ parent }) => parent);
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid));
  return tree;
}

function running(): { pid: number; parent: number }[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const parent = unlessEnded(() => parentOf(pid));
    return parent === undefined ? [] : [{ pid, parent }];
  });
}

/** Processes come and go. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
}
