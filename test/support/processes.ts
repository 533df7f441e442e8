// Processes as Linux shows them: their state, and who has which home.
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** @returns undefined when it has ended meanwhile, or is another user's */
function read(pid: number | string, name: 'stat' | 'environ' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** One letter, as `ps` shows it. */
const stateOf = (pid: number) => read(pid, 'stat')?.split(') ').at(-1)?.[0];

/** Ended; of a zombie nobody has asked how. */
export const isOver = (pid: number): boolean => [undefined, 'Z', 'X'].includes(stateOf(pid));

const argvOf = (pid: number) => read(pid, 'cmdline')?.split('\0') ?? [];
const parentOf = (pid: number) => Number(read(pid, 'stat')?.split(') ').at(-1)?.split(' ')[1]);

/** Whether it is Node with that program. */
export const runs = (pid: number, program: string): boolean => argvOf(pid)[1] === program;

/** All that was started in a home. A host has no environment, and may have lost the bridge that started it: it is known by its child. */
export function processesAt(home: string): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const found = new Set(all.filter((pid) => read(pid, 'environ')?.split('\0').includes(`HOME=${home}`)));
  for (const pid of found) {
    const parent = parents.get(pid) ?? 0;
    if (argvOf(parent)[1]?.endsWith('/host/main.js')) found.add(parent);
    for (const [child, its] of parents) if (its === pid) found.add(child);
  }
  return [...found].filter((pid) => !isOver(pid));
}

/** @returns false when it has ended by itself meanwhile */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** The machine loses power: all that was started in a home ends at once, and what that has started meanwhile. */
export async function killAt(home: string): Promise<void> {
  await until(`${home} to be without a process`, () => {
    const pids = processesAt(home);
    for (const pid of pids) signal(pid, 'SIGKILL');
    return pids.length === 0;
  });
}

/** Resolves when it stands still: until then it may still act. */
export async function pause(pid: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  await until(`process ${pid} to stand still`, () => stateOf(pid) === 'T' || isOver(pid));
}
