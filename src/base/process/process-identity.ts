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
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's is there all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = statOf(pid);
  // It keeps its pid until its parent asks how it ended: some take a second for that.
  if (stat?.hasEnded) return false;
  return started === '' || started === stat?.started;
}

/** Whether a process has this pid, whichever. */
export const isRunning = (pid: number): boolean => isAlive({ pid, started: '' });

/** Whether it would go on, and waits for a processor or a disk: it is the machine that is slow. Known on Linux alone. */
export const isHeldUp = ({ pid }: ProcessIdentity): boolean => /[RD]/.test(statOf(pid)?.state ?? '');

/** From /proc/PID/stat, see proc_pid_stat(5); undefined where there is none. */
function statOf(pid: number): { state: string; hasEnded: boolean; started: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may hold blanks.
  const fields = text.split(') ').at(-1)?.split(' ') ?? [];
  const [state = '', threads, started = ''] = [fields[0], fields[17], fields[19]];
  // The first of several threads may have ended before the others.
  return { state, hasEnded: state === 'X' || (state === 'Z' && threads === '1'), started };
}
