import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { callBridge, readBridgeFile } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';

/** The bridge drains for up to 5 s and ends its Claude Code processes; then it is gone. Milliseconds. */
const patience = 30_000;

export async function down(options: { state: string }): Promise<number> {
  const pid = readBridgeFile(options.state)?.pid;
  try {
    await callBridge(options.state, 'bridge.stop', {}, { timeoutMs: 10_000 });
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return withoutBridge(options.state, error);
    throw error;
  }
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

/** A bridge that was killed has left its Claude Codes to the next one. @throws CliError when there is none */
async function withoutBridge(state: string, notRunning: CliError): Promise<number> {
  const { endHosts } = await import('../../bridge/hosts-offline.ts');
  const ended = await endHosts(state);
  if (ended === 0) throw notRunning;
  const whose =
    ended === 1 ? 'The Claude Code that had outlived it' : `${ended} Claude Codes that had outlived it`;
  say(`No bridge was running. ${whose} ${ended === 1 ? 'was' : 'were'} ended; conversations are kept.`);
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
