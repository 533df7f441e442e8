import type { ProviderView } from '../../../domain/views/tools.ts';
import { safeLine } from '../safe.ts';
import { ago } from './ago.ts';

/** One line about a provider of tools beside those of gateways. Its reason may be a foreign program's. */
export const providerWords = ({ provider, status, reason }: ProviderView): string =>
  safeLine(`tools ${provider}: ${status}${reason === null ? '' : ` (${reason})`}`);

/** The same where only providers are told of, and since when. */
export function healthWords({ provider, status, reason, since }: ProviderView, now: number): string {
  if (status === 'healthy') return safeLine(`${provider}: healthy`);
  return safeLine(`${provider}: ${status} since ${ago(since, now)}${reason === null ? '' : `: ${reason}`}`);
}
