import { setTimeout as delay } from 'node:timers/promises';
import { answerLines } from './heap.ts';

/** CPU milliseconds of this process so far, all of its threads. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Bytes that this process holds: its resident memory, and what lives, with `--expose-gc` after a collection. */
async function held(): Promise<{ rss: number; live: number }> {
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc?.();
    await delay(10);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external };
}

/** Answers each line of stdin with what this process took so far, or holds: the kernel counts CPU time in steps of 10 ms. */
export const tellCost = (): Promise<void> =>
  answerLines(async ({ what }) => (what === 'memory' ? held() : { cpuMs: ownCpuMs() }));
