// Which chats show answers while they grow, where OpenClaw 2026.9.6 can lose two of them (ingress/openai/preview-race.ts).
import { type Check, ok } from '../../domain/views/check.ts';
import type { ConfigView } from './config-view.ts';
import { isObject } from './provider-entry.ts';

/** @returns nothing where no chat does */
export async function streamingCheck(view: ConfigView): Promise<Check[]> {
  const [channels, mode] = await Promise.all([view.get('channels'), view.get('messages', 'queue', 'mode')]);
  const growing = Object.entries(isObject(channels) ? channels : {}).flatMap(([name, settings]) =>
    modesOf(settings).some((each) => each === 'partial' || each === 'block') ? [name] : [],
  );
  if (growing.length === 0) return [];
  const shows = `Answers are shown while they grow on ${growing.join(', ')} (streaming.mode).`;
  const words =
    mode === 'followup'
      ? `${shows} A message that comes meanwhile waits (messages.queue.mode), so none is lost.`
      : `${shows} After a message that comes meanwhile the next answer ends up to 1.5 s later, because OpenClaw would lose both; messages.queue.mode "followup" is the other way.`;
  return [ok('streaming', words)];
}

/** Of a channel and of its accounts. */
function modesOf(settings: unknown): unknown[] {
  if (!isObject(settings)) return [];
  const accounts = isObject(settings.accounts) ? Object.values(settings.accounts) : [];
  return [settings, ...accounts].map((each) =>
    isObject(each) && isObject(each.streaming) ? each.streaming.mode : undefined,
  );
}
