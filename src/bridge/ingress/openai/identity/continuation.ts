// Which conversation a request goes on with that names what was said there: by a response, or by its items. Pure, but
// for the look-up.
import { findRepeat } from '../../../../domain/decide/decide-turn.ts';
import { findResponse, type Session } from '../../../../domain/state/session.ts';
import type { Case } from '../case.ts';
import type { Place } from '../elsewhere.ts';
import { type HttpFault, previousElsewhere, previousNotFound, previousSuperseded } from '../errors.ts';
import { toolAnswers } from '../input/tool-results.ts';
import type { ProviderRequest } from '../request/provider-request.ts';
import {
  bareResponseId,
  responseIdOf,
  type StoredResponses,
  wireResponseId,
} from '../stored/stored-responses.ts';
import { dedupOf } from '../submission.ts';
import type { Identity } from './identity.ts';
import { responseName } from './repeats.ts';

/**
 * @param named what else the request says of its conversation
 * @returns the conversation; undefined when the request names nothing that was said
 */
export function continuedBy(
  { previous, references }: ProviderRequest,
  named: Identity,
  stored: StoredResponses,
): Identity | { fault: HttpFault } | undefined {
  if (previous === undefined) {
    const key = isSure(named) ? undefined : stored.ofItems(references);
    return key === undefined ? undefined : { ...named, key, source: 'explicit' };
  }
  const found = stored.find(previous);
  if ('why' in found) return { fault: previousNotFound(previous, found.why) };
  const { key } = found.session;
  if (isSure(named) && named.key !== key) return { fault: previousElsewhere(previous) };
  return { ...named, key, source: 'explicit' };
}

/**
 * Where the conversation of a request is looked for, which may be another machine.
 * @returns undefined when what it goes on from has no place
 */
export function placeOf(
  request: ProviderRequest,
  named: Identity,
  stored: StoredResponses,
): Place | undefined {
  const { previous, references } = request;
  const own = { key: named.key };
  const continued = continuedBy(request, named, stored);
  if (continued && !('fault' in continued)) return { key: continued.key };
  if (isSure(named)) return own;
  if (previous !== undefined)
    return stored.placeOf(previous) ?? (named.source === 'fingerprint' ? undefined : own);
  const place = stored.placeOf(references.at(-1) ?? '');
  return place?.digest === undefined ? own : { ...place, ...own };
}

/** The request itself says which conversation it means, and of no other may anything come in. */
const isSure = ({ source, openclaw }: Identity): boolean =>
  source === 'explicit' || source === 'plugin' || openclaw !== undefined;

/** Claude Code cannot go back. A repeat of what was said then, and the result of a call that is open, do not ask it to. */
export function goesBack(about: Case, session: Session): HttpFault | undefined {
  const { request, fromOpenClaw, input } = about;
  const { previous } = request;
  if (previous === undefined) return undefined;
  if (isCurrent(session, previous)) return undefined;
  const text = input.texts.at(-1);
  if (text && findRepeat(session, dedupOf(about, text))) return undefined;
  if (toolAnswers(input, session).length > 0) return undefined;
  const isGiven = session.turns.some(({ id: target }) => {
    const name = responseName(request, { fromOpenClaw, input, target });
    return findResponse(session, responseIdOf(session.key, target, name)) !== undefined;
  });
  if (isGiven) return undefined;
  const { newest } = session;
  const usable = newest !== undefined && !findResponse(session, newest)?.deleted;
  return previousSuperseded(previous, usable ? wireResponseId(newest) : undefined);
}

/** Whether nothing was said to Claude after this response. */
function isCurrent(session: Session, previous: string): boolean {
  let id = session.newest;
  while (id !== undefined && wireResponseId(id) !== previous) {
    const { aside, previous: before } = findResponse(session, id) ?? {};
    id = aside && before !== undefined ? bareResponseId(before) : undefined;
  }
  return id !== undefined;
}
