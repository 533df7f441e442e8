import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { callBridge, readBridgeFile } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';

/** The bridge drains for up to 5 s and ends its Claude Code processes; then it is gone. Milliseconds. */
const patience = 30_000;

export async function down(options: { state: string }): Promise<number> {
  const pid = readBridgeFile(options.state)?.pid;
  await callBridge(options.state, 'bridge.stop', {}, { timeoutMs: 10_000 });
  const end = performance.now() + patience;
  while (pid !== undefined && isAlive(pid)) {
    if (performance.now() > end) {
      throw new CliError(
        'timeout',
        'timeout',
        `The bridge (pid ${pid}) is still stopping after ${patience / 1000} s.`,
        'Nothing accepted is lost: it is on disk. Wait, or end that process.',
      );
    }
    await delay(20);
  }
  say('The bridge has stopped. Conversations are kept; `synthesis up` goes on with them.');
  return exitCodes.ok;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
