// After a start of the bridge: the Claude Codes of the conversations that were used last, so that the next message of each
// finds one.
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Session } from '../../../domain/state/session.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { untilSession } from '../operator/operator-wait.ts';

export interface WarmStartOptions {
  dispatcher: Dispatcher;
  clock: Clock;
  log: Log;
  /** How many conversations. */
  count: number;
  /** For each start. */
  ms: number;
  /** Whether one more Claude Code has a place without another one being ended for it. */
  hasRoom(): boolean;
  signal: AbortSignal;
}

type Known = Pick<Session, 'key' | 'claude' | 'removed' | 'turns' | 'touchedAt'>;

/**
 * The `count` conversations that were used last, whether their Claude Codes run or not; the newest is the first.
 * One that nobody will write to again, as after a scheduled run, is none of them.
 */
export function lastUsed<T extends Known>(sessions: readonly T[], count: number): T[] {
  return sessions
    .filter(({ claude, removed, turns }) => {
      const isOwnRun = turns.at(-1)?.meta.own_session === 'yes';
      return claude?.prompted === true && !removed && !isOwnRun;
    })
    .sort((left, right) => right.touchedAt - left.touchedAt)
    .slice(0, count);
}

/** One after the other: each wants the processors for itself. Never rejects; what fails is logged, and not tried again. */
export async function warmStart({ hasRoom, count, log, ...about }: WarmStartOptions): Promise<void> {
  const { dispatcher, signal } = about;
  for (const { key } of lastUsed(dispatcher.sessions(), count)) {
    if (signal.aborted || !hasRoom()) return;
    // As it is by now. One that has a message is started for that.
    if (dispatcher.session(key)?.agent.name !== 'stopped') continue;
    const wanted = dispatcher.dispatch(key, { type: 'session.start', by: 'limits.warmAtStart' });
    // In a panic, and on a full disk, nothing begins.
    if (!wanted.ok && wanted.rejection.code !== 'running') return;
    const started = await untilSession({ ...about, key }, ({ agent }) => agent.name !== 'starting');
    const name = started?.agent.name ?? 'starting';
    if (name === 'ready' || signal.aborted) continue;
    log.warn('a Claude Code was to be ready before its next message, and is not', {
      session: hashId(key),
      state: name,
      ...(started?.agent.name === 'stopped' && { failure: started.agent.failure }),
    });
  }
}
