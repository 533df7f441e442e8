// A process by its pid and the time of its start: a pid alone may be that of another one by now.
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Start time as the kernel counts it; '' where it cannot be read, as elsewhere than on Linux. */
  started: string;
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, started: startedAt(pid) });

/** @returns undefined for what is none */
export function readIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, started } = value as Partial<ProcessIdentity>;
  return typeof pid === 'number' ? { pid, started: typeof started === 'string' ? started : '' } : undefined;
}

/** Whether it lives. Where start times cannot be read, whoever has the pid is taken for it. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return started === '' || started === startedAt(pid);
}

/** Field 22 of /proc/PID/stat. */
function startedAt(pid: number): string {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return '';
  try {
    // The second field is the program's name in parentheses and may hold blanks.
    return readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
