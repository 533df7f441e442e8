import type { Clock } from '../../base/time/clock.ts';
import type { Program } from './program.ts';

/** From the kill to going without it, ms: the kernel may hold a process that waits for a disk. */
const unkillableMs = 2_000;

export interface Ending {
  /** What its process group is sent, one after the other. */
  signals: readonly NodeJS.Signals[];
  /** Until it is killed, ms. */
  killMs: number;
}

/** Resolves when it has exited; or cannot be made to. */
export async function endProgram(program: Program, { signals, killMs }: Ending, clock: Clock): Promise<void> {
  if (program.exit) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancels = [
    clock.after(killMs, () => program.kill('SIGKILL', true)),
    clock.after(killMs + unkillableMs, resolve),
  ];
  for (const signal of signals) program.kill(signal, true);
  await Promise.race([program.exited, promise]);
  for (const cancel of cancels) cancel();
}
