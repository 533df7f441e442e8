import type { AgentSession } from '../../app/ports.ts';
import type { ClaudeRun } from '../claude-run.ts';
import type { Obstacle } from '../delivery/held-message.ts';
import { hooksOff, switchedOff } from '../hooks/hooks-off.ts';
import { claudeSettings } from '../launch/claude-settings.ts';
import type { AgentOptions } from '../options.ts';

/**
 * What keeps Claude Code from getting ready, where the message waits for its end.
 * @param run stands at a dialog; undefined: a setting keeps the hooks from the bridge, and nothing runs
 */
export function startObstacle(
  run: ClaudeRun | undefined,
  isReady: () => boolean,
  { env }: Pick<AgentOptions, 'env'>,
  { launch }: AgentSession,
): Obstacle {
  if (run) return { run, isGone: isReady };
  const look = async () => {
    const settings = await claudeSettings(env, [launch.cwd]);
    return (switchedOff(settings) ?? hooksOff(settings)) === undefined;
  };
  return { look };
}
