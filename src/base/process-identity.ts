// A process by its pid and the time of its start: a pid alone may be that of another one by now.
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Start time as the kernel counts it; '' where it cannot be read, as elsewhere than on Linux. */
  started: string;
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, started: statOf(pid)?.started ?? '' });

/** @returns undefined for what is none */
export function readIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, started } = value as Partial<ProcessIdentity>;
  return typeof pid === 'number' ? { pid, started: typeof started === 'string' ? started : '' } : undefined;
}

/** Whether it lives. Where start times cannot be read, whoever has the pid is taken for it. */
export const isAlive = ({ pid, started }: ProcessIdentity): boolean =>
  isRunning(pid) && (started === '' || started === statOf(pid)?.started);

/** Whether a process has this pid. One that ended has it, too, until its parent asks: some take a second for that. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return !(statOf(pid)?.hasEnded ?? false);
}

/** From /proc/PID/stat, see proc_pid_stat(5); undefined where there is none. */
function statOf(pid: number): { hasEnded: boolean; started: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may hold blanks.
  const fields = text.split(') ').at(-1)?.split(' ') ?? [];
  const [state, threads, started] = [fields[0], fields[17], fields[19] ?? ''];
  // The first of several threads may have ended before the others.
  return { hasEnded: state === 'X' || (state === 'Z' && threads === '1'), started };
}
