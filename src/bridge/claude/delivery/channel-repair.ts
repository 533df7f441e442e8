// Claude Code never starts a dead MCP server again; typing `/mcp reconnect` does (measured on 2.1.329).
import { isRunning } from '../../../base/process/process-identity.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from './deliver-typed.ts';
import { enterCommand } from './own-command.ts';

const command = '/mcp reconnect synthesis';
/** From Enter until Claude Code has the tools of the new channel server, ms. */
const backMs = 10_000;
/** How long a channel that only lost its connection may take to come back by itself, ms. */
export const patienceMs = 3000;
/** From the end of a connection to that of the process that had it, ms: a kill closes the one a moment before the other. */
const endMs = 50;
/** Attempts per process: a server that dies again and again is broken. */
const attempts = 3;

/** Was connected once, is not any more, and its process is gone. */
function channelIsDead(run: WatchedChannel): boolean {
  const { connected, pid } = run.link;
  return !connected && pid !== undefined && !isRunning(pid);
}

/** It died once more than it is started again. */
export const channelIsLost = (run: ClaudeRun): boolean =>
  run.channelRepairs >= attempts && channelIsDead(run);

export type WatchedChannel = Pick<ClaudeRun, 'watch' | 'exit' | 'stopping'> & {
  link: Pick<ClaudeRun['link'], 'pid' | 'connected'>;
};

/** Resolves when the channel is dead, or the run is gone. */
export async function untilChannelDies(run: WatchedChannel): Promise<void> {
  while (!gone(run)) {
    await run.watch.until(
      () => gone(run) || (run.link.pid !== undefined && !run.link.connected),
      60 * 60_000,
    );
    await untilBackOrDead(run, () => gone(run));
    if (channelIsDead(run)) return;
  }
}

/** Resolves when a closed connection is there again, or cannot be any more: nobody has to wait for a dead one. */
export async function untilBackOrDead(run: WatchedChannel, over: () => boolean): Promise<void> {
  for (const ms of [endMs, patienceMs]) {
    if (await run.watch.until(() => over() || run.link.connected, ms)) return;
    if (channelIsDead(run)) return;
  }
}

/** Starts a dead channel server again. Only between prompts: it types. */
export async function repairChannel(run: ClaudeRun): Promise<void> {
  if (!channelIsDead(run) || run.channelRepairs >= attempts) return;
  await run.watch.until(() => gone(run) || run.idle || run.blocked, run.limits.busyMs);
  if (gone(run) || !run.idle) return;
  run.channelRepairs += 1;
  if (!(await enterCommand(run, command, () => gone(run)))) return;
  run.toolsListed = false;
  const back = await run.watch.until(() => gone(run) || (run.link.connected && run.toolsListed), backMs);
  run.log.warn('the channel server had died', { back: back === true, attempt: run.channelRepairs });
  await run.watch.until(() => gone(run) || run.idle, backMs);
}

/** Looks after it as long as the process lives. @param between runs a task when no prompt is handed over */
export async function keepChannel(
  run: ClaudeRun,
  between: (task: () => Promise<void>) => Promise<void>,
): Promise<void> {
  while (!gone(run)) {
    await untilChannelDies(run);
    if (!gone(run)) await between(() => repairChannel(run));
    // A server that cannot be brought back is looked at again only now and then.
    await run.watch.pause(run.limits.stopMs);
  }
}
