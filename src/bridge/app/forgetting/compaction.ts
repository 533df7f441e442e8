// What stands in the journal in place of the rows that went into the archive: a start that folds these is where one is
// that folded all of them.
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
  forgetter: Pick<Forgetter, 'due'>;
}

/** Events of one session, as {@link Dispatcher} and the journal take them. */
export interface SessionEvents {
  session: string;
  events: SessionEvent[];
}

/**
 * Append them in this order, in the step in which they were made: what is dispatched in between would be lost. Removed
 * sessions that nothing is kept for are forgotten by this.
 *
 * @param origin seq of the last row in the archive, which is the last one that was folded
 */
export function compactionEvents(folded: Folded, origin: number): SessionEvents[] {
  const { dispatcher, codes, claudeIds, panic, forgetter } = folded;
  const forgetting = forgetter.due;
  const compacted: SessionEvent = {
    type: 'bridge.compacted',
    origin,
    codes: codes.used(),
    claudes: claudeIds.all(),
    panic: panic.recorded ?? null,
    ...(forgetting.length > 0 && { forgetting }),
  };
  dispatcher.forgetRemoved();
  const sessions = dispatcher.sessionsEver();
  return [
    { session: house, events: [compacted] },
    ...sessions.map((session) => ({ session: session.key, events: [restoredEvent(session)] })),
  ];
}
