import { answerLines } from './heap.ts';

/** CPU milliseconds of this process so far, all of its threads. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Answers each line of stdin with what this process took so far: the kernel's own count of it has steps of 10 ms. */
export const tellCpu = (): Promise<void> => answerLines(async () => ({ cpuMs: ownCpuMs() }));
