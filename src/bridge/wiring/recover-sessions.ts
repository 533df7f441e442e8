import type { Config } from '../../protocol/config.ts';
import type { Deadlines } from '../app/deadlines.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { launchOptions } from '../profiles.ts';

/** What a bridge before has left of its conversations goes on, with what the configuration says now. */
export function recoverSessions(
  dispatcher: Dispatcher,
  deadlines: Deadlines,
  config: Config & { cwd: string },
): void {
  for (const { key } of dispatcher.sessions()) {
    // First: what recovers starts with what holds now.
    const launch = launchOptions(config, key);
    dispatcher.dispatch(key, { type: 'session.configure', launch, take: 'safe' });
    dispatcher.dispatch(key, { type: 'session.recover' });
    const session = dispatcher.session(key);
    if (session) deadlines.restore(session);
  }
}
