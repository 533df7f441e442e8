import type { ClaudeRun } from '../claude-run.ts';
import { enterCommand } from '../delivery/own-command.ts';
import { standsStill } from '../delivery/until-drawn.ts';

/**
 * Ends a process: `/exit` when it waits for a prompt, else signals. Resolves when it is gone, after at most three
 * times `limits.stopMs`. SIGTERM takes 190–250 ms and still fires SessionEnd (measured on 2.1.329).
 *
 * @param byKeys false when keys may still wait for it, an Enter among them, or it waits for an editor: that one is ended,
 *   too. Else it takes SIGKILL, and 2 of 5 sessions could not be resumed then (measured on 2.1.329)
 */
export async function endRun(run: ClaudeRun, reason: string, byKeys: boolean): Promise<void> {
  const idle = byKeys && run.idle && !standsStill(run);
  run.stopping ??= reason;
  run.watch.poke();
  const entered = idle && (await enterCommand(run, '/exit', () => run.exit !== undefined, 0));
  if (entered && (await exited(run))) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (run.exit) return;
    run.terminal.kill(signal, !byKeys);
    if (await exited(run)) return;
  }
  run.log.error('Claude Code does not end', { pid: run.terminal.pid });
}

async function exited(run: ClaudeRun): Promise<boolean> {
  return (await run.watch.until(() => run.exit !== undefined, run.limits.stopMs)) === true;
}
