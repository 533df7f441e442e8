import { fitsSession } from '../../../../protocol/tokens.ts';
import type { HttpFault } from '../errors.ts';
import type { ProviderRequest } from '../request/provider-request.ts';
import type { StoredResponses } from '../stored/stored-responses.ts';
import type { Identity } from './identity.ts';

/**
 * Whether a token for `limit` may make this request. That goes for what is answered without a conversation, too: words of
 * ours are stored with the response that they go on from. Of its own conversations a token hears why it cannot go on.
 * @param limit as `fitsSession` has it
 */
export function isWithin(
  limit: string,
  { previous }: Pick<ProviderRequest, 'previous'>,
  stored: StoredResponses,
  identify: () => Identity | { fault: HttpFault },
): boolean {
  if (previous !== undefined) return isOwnResponse(limit, previous, stored) ?? false;
  const identity = identify();
  return !('fault' in identity) && fitsSession(limit, identity.key);
}

/** @returns undefined when no conversation here has such a response */
export function isOwnResponse(
  limit: string,
  previous: string | undefined,
  stored: StoredResponses,
): boolean | undefined {
  const key = previous === undefined ? undefined : stored.keyOf(previous);
  return key === undefined ? undefined : fitsSession(limit, key);
}
