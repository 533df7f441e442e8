import type { Health, LaunchOptions } from '../../../protocol/events/events.ts';
import type { Delivery } from '../../../protocol/settings/delivery.ts';
import type { ClaudeRun } from '../claude-run.ts';

export interface DeliveryChoice {
  delivery: Delivery;
  health: Health[];
}

/** How long the start screen may take to say what became of the channel, ms. */
const noticeMs = 2000;

const optIn =
  'Messages are typed into the terminal. To use the channel, set channels.development to true (or channels.plugin) in the configuration.';

/**
 * By channel only when Claude Code says that it listens to it; otherwise by the terminal, with the reason in words. A
 * missing rollout, policy or flag must never mean silence.
 *
 * @param asked the channel was named on the command line
 */
export async function chooseDelivery(
  run: ClaudeRun,
  wanted: LaunchOptions['delivery'],
  asked: boolean,
): Promise<DeliveryChoice> {
  if (wanted === 'terminal') return { delivery: 'terminal', health: [] };
  if (!asked) return { delivery: 'terminal', health: [{ ...unavailable(optIn), info: true }] };
  await run.watch.until(() => {
    const { channelRegistered, channelRefused } = run.view;
    return channelRegistered || channelRefused !== undefined || run.exit !== undefined;
  }, noticeMs);
  const { channelRegistered, channelRefused } = run.view;
  // A refusal stands next to the registered line and counts more.
  if (channelRegistered && !channelRefused && run.link.connected) return { delivery: 'channel', health: [] };
  const why =
    channelRefused ??
    (run.link.connected
      ? 'Claude Code does not say that it listens to the channel'
      : 'The channel server is not connected');
  return {
    delivery: 'terminal',
    health: [unavailable(`${why}. Messages are typed into the terminal instead.`)],
  };
}

const unavailable = (words: string): Health => ({ code: 'channel_unavailable', words });
