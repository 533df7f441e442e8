// How messages will reach Claude Code, as far as it can be told before one runs: a rollout of the vendor is only seen on
// its start screen, and then stands in the health of the session.
import { type Check, ok, warning } from '../../../domain/views/check.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import { type ClaudeSettings, claudeSettings } from '../../claude/launch/claude-settings.ts';
import { consentFindings } from '../../setup/channel.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';

export const channel: Examination = async ({ config, env }) => {
  const settings = await claudeSettings(env, workFolders(config));
  return [channelCheck(config, settings)];
};

/** Pure. */
export function channelCheck(
  config: Pick<Config, 'delivery' | 'channels' | 'profiles'>,
  settings: readonly ClaudeSettings[],
): Check {
  const name = 'channel';
  const { delivery, channels } = config;
  const [refused] = consentFindings(config);
  if (refused) return refused;
  if (delivery === 'terminal')
    return ok(name, "Messages are typed into Claude Code's terminal, as configured.");
  if (!channels.development && channels.plugin === undefined) {
    return ok(
      name,
      "Messages are typed into Claude Code's terminal: the channel has no consent, and needs none.",
    );
  }
  // A policy that does not speak of channels forbids them (read in Claude Code 2.1.329).
  const policy = settings.find((each) => each.level === 'managed' && each.channelsEnabled !== true);
  if (policy) {
    return warning(
      name,
      `Your organisation does not enable channels (\`channelsEnabled\` in ${policy.path}): messages are typed instead.`,
      'Have it enabled, or set `delivery` to `terminal`.',
    );
  }
  return ok(
    name,
    'Messages go through the channel where Claude Code offers it, and are typed where it does not.',
  );
}
