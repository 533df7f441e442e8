// How messages will reach Claude Code, as far as it can be told before one runs: a rollout of the vendor is only seen on
// its start screen, and then stands in the health of the session.
import { resolve } from 'node:path';
import { type Check, ok, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/config.ts';
import { type ClaudeSettings, claudeSettings } from './claude-settings.ts';
import type { Examination } from './examination.ts';

export const channel: Examination = async ({ config, env }) => {
  const settings = await claudeSettings(env, resolve(config.cwd ?? '.'));
  return [channelCheck(config, settings)];
};

/** Pure. */
export function channelCheck(
  { delivery, channels }: Pick<Config, 'delivery' | 'channels'>,
  settings: readonly ClaudeSettings[],
): Check {
  const name = 'channel';
  if (delivery === 'terminal')
    return ok(name, "Messages are typed into Claude Code's terminal, as configured.");
  if (!channels.development && channels.plugin === undefined) {
    if (delivery === 'auto') {
      return ok(
        name,
        "Messages are typed into Claude Code's terminal: the channel has no consent, and needs none.",
      );
    }
    return warning(
      name,
      'The channel is configured, but without consent to it messages are typed into the terminal.',
      'Run `synthesis init` and consent, or set `delivery` to `auto`.',
    );
  }
  // A policy that does not speak of channels forbids them (read in Claude Code 2.1.329).
  const policy = settings.find((each) => each.managed && each.channelsEnabled !== true);
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
