import type { Clock } from '../../../base/time/clock.ts';
import { currentTurn, openAsks, type Session } from '../../../domain/state/session.ts';
import { isSettled, type Turn } from '../../../domain/state/turn.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { JournalPort } from '../../app/ports.ts';

/** Milliseconds that turns in flight get to end when the bridge is stopped. */
const drainMs = 5_000;

/** It may come to its end by itself: one that waits for a person's answer does not. */
const isBusy = (session: Session): boolean =>
  currentTurn(session)?.phase.name === 'running' && openAsks(session).length === 0;

/** Resolves when no turn runs any more but those that wait for a person, at the latest after `drainMs`. */
export async function drain(dispatcher: Dispatcher, journal: JournalPort, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (!dispatcher.sessions().some(isBusy)) resolve();
  };
  const cancel = clock.after(drainMs, resolve);
  const unsubscribe = journal.subscribe(() => queueMicrotask(look));
  look();
  await promise;
  cancel();
  unsubscribe();
}

/**
 * Ends what still runs, in words: its clients are told why. What waits goes on at the next start; if the disk failed
 * nobody knows whether it does, and whoever waits for it is told, too.
 */
export function endTurns(dispatcher: Dispatcher, code: 'shutting_down' | 'disk_failed'): void {
  for (const session of dispatcher.sessions())
    for (const turn of session.turns)
      if (isAtClaude(turn) || (code === 'disk_failed' && !isSettled(turn)))
        dispatcher.dispatch(session.key, { type: 'turn.expire', turn: turn.id, code });
}

/** It may have seen it, and is not given it again. */
const isAtClaude = ({ phase }: Turn): boolean =>
  phase.name === 'running' || (phase.name === 'delivering' && phase.handed === true);
