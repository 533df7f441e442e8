// Processes as Linux shows them: their state, and who has which home.
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** @returns undefined when it has ended meanwhile, or is another user's */
function read(pid: number | string, name: 'stat' | 'environ'): string | undefined {
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

/** All that was started in a home, whoever started it and whoever it belongs to by now. */
export const processesAt = (home: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(name, 'environ')?.split('\0').includes(`HOME=${home}`))
    .map(Number)
    .filter((pid) => !isOver(pid));

/** @returns false when it has ended by itself meanwhile */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Resolves when it stands still: until then it may still act. */
export async function pause(pid: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  await until(`process ${pid} to stand still`, () => stateOf(pid) === 'T' || isOver(pid));
}
