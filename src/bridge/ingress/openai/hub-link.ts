import type { Session } from '../../../domain/state/session.ts';
import type { HubLink } from '../../../protocol/events/events.ts';
import type { Case } from './case.ts';
import { lifecycle } from './identity/identity.ts';

/**
 * Follows OpenClaw's own transcript: `/new` there starts a fresh Claude session under the same key.
 * @returns undefined for a client that does not name its transcript
 */
export function followHub(
  { identity, request }: Case,
  session: Session | undefined,
): { link: HubLink; reset: boolean } | undefined {
  const { sessionId: id, generation } = identity.openclaw ?? {};
  if (id === undefined) return undefined;
  const { id: sessionId, generation: before } = session?.link ?? {};
  const remembered = session?.link && {
    ...(sessionId && { sessionId }),
    ...(before !== undefined && { generation: before }),
  };
  return {
    link: { id, source: identity.source, ...(generation !== undefined && { generation }) },
    reset: session?.claude !== undefined && lifecycle(request, identity, remembered) === 'reset',
  };
}
