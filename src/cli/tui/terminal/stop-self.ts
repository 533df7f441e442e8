import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';

/** Time that runs only while nothing is stopped, ms: where no shell does job control, nothing stops at all. */
const aliveMs = 200;

/**
 * Stops this process and what was started with it, as the terminal's own Ctrl-Z does; the shell has the terminal until `fg`.
 * Resolves when it goes on, or was not stopped.
 */
export async function stopSelf(): Promise<void> {
  const done = new AbortController();
  const goesOn = once(process, 'SIGCONT', { signal: done.signal }).catch(() => {});
  process.kill(0, 'SIGTSTP');
  await Promise.race([goesOn, after(aliveMs)]);
  done.abort();
}
