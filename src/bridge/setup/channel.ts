import { type Check, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';

/** A channel that is asked for and not consented to. Pure. */
export function consentFindings({
  delivery,
  channels,
  profiles,
}: Pick<Config, 'delivery' | 'channels' | 'profiles'>): Check[] {
  const isAsked = [delivery, ...profiles.map((profile) => profile.delivery)].includes('channel');
  if (!isAsked || channels.development || channels.plugin !== undefined) return [];
  return [
    warning(
      'channel',
      'The channel is configured, but without consent to it messages are typed into the terminal.',
      'Run `synthesis init` and consent, or set `delivery` to `auto`.',
    ),
  ];
}
