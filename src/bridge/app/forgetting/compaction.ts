// What stands in the journal for the rows before it: a start that folds these is where one is that folded all of them.
import { restoredEvent } from '../../../domain/state/snapshot.ts';
import type { SessionEvent } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import type { ClaudeIds } from '../claude-ids.ts';
import type { Codes } from '../desks/codes.ts';
import type { PanicDesk } from '../desks/panic-desk.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { Forgetter } from './forgetter.ts';

/** Whoever folds rows at the start. */
export interface Folded {
  dispatcher: Pick<Dispatcher, 'forgetRemoved' | 'sessionsEver'>;
  codes: Pick<Codes, 'used'>;
  claudeIds: Pick<ClaudeIds, 'all'>;
  panic: Pick<PanicDesk, 'recorded'>;
  /** Which operator secret the journal says. */
  secret: { readonly recorded: string | null };
  forgetter: Pick<Forgetter, 'due'>;
}

/** Events of one session, as {@link Dispatcher} and the journal take them. */
export interface SessionEvents {
  session: string;
  events: SessionEvent[];
}

/**
 * Append them in this order, in the step in which all of them were made: what is dispatched in between would be lost.
 * Removed sessions that nothing is kept for are forgotten by this.
 *
 * @param origin seq of the last row in the archive
 */
export function* compactionEvents(folded: Folded, origin: number): Generator<SessionEvents, void> {
  const { dispatcher, codes, claudeIds, panic, secret, forgetter } = folded;
  const forgetting = forgetter.due;
  dispatcher.forgetRemoved();
  const sessions = dispatcher.sessionsEver();
  const compacted: SessionEvent = {
    type: 'bridge.compacted',
    origin,
    codes: codes.used(),
    claudes: claudeIds.all(),
    panic: panic.recorded ?? null,
    ...(secret.recorded !== null && { secret: secret.recorded }),
    ...(forgetting.length > 0 && { forgetting }),
    sessions: sessions.length,
  };
  yield { session: house, events: [compacted] };
  for (const session of sessions) yield { session: session.key, events: [restoredEvent(session)] };
}
