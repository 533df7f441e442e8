import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../../base/process/process-identity.ts';
import { CliError } from '../cli-error.ts';

/** The bridge drains for up to 5 s and may end Claude Code processes; then it is gone. Milliseconds. */
const patience = 30_000;

/** Resolves when the bridge that was told to stop has ended. @throws CliError `timeout` */
export async function bridgeEnded(pid: number | undefined): Promise<void> {
  const end = performance.now() + patience;
  while (pid !== undefined && isRunning(pid)) {
    if (performance.now() > end) {
      throw new CliError(
        'timeout',
        'timeout',
        `The bridge (pid ${pid}) is still stopping after ${patience / 1000} s.`,
        'Nothing accepted is lost: it is on disk. Wait, or end that process.',
      );
    }
    await delay(5);
  }
}
