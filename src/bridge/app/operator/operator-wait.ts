// Things an operator asks for that take a while: each with a deadline and an end when the caller hangs up.

import type { Clock } from '../../../base/time/clock.ts';
import { commandRef } from '../../../domain/command-ref.ts';
import { pendingAgents, type Session } from '../../../domain/state/session.ts';
import { isSettled } from '../../../domain/state/turn.ts';
import { failureOf } from '../../../domain/words/failed-start.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { notStored, OperatorError } from './operator-error.ts';

export interface WaitOptions {
  dispatcher: Dispatcher;
  clock: Clock;
  key: string;
  /** Milliseconds; without one it waits until the signal aborts. */
  ms?: number;
  signal: AbortSignal;
}

/** @returns the first state of the session that fits, undefined when time or signal ended the waiting. */
export function untilSession(
  { dispatcher, clock, key, ms, signal }: WaitOptions,
  fits: (session: Session) => boolean,
): Promise<Session | undefined> {
  const { promise, resolve } = Promise.withResolvers<Session | undefined>();
  const look = (session: Session | undefined) => {
    if (session && fits(session)) resolve(session);
  };
  const giveUp = () => resolve(undefined);
  const unwatch = dispatcher.watch(key, look);
  const cancel = ms === undefined ? undefined : clock.after(ms, giveUp);
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  look(dispatcher.session(key));
  return promise.finally(() => {
    unwatch();
    cancel?.();
    signal.removeEventListener('abort', giveUp);
  });
}

/** Neither a turn in flight nor one that waits, and no agent whose end begins another. */
export const isIdle = (session: Session): boolean =>
  session.turns.every(isSettled) && pendingAgents(session).length === 0;

/** Longest time for Claude Code to end, ms: /exit, SIGTERM and SIGKILL with their budgets, and some room. */
const endMs = 30_000;

/**
 * Ends Claude Code if it runs and starts it again on the same conversation, with all that the configuration says.
 * @param options.ms for the start
 * @throws OperatorError `start_failed` or `timeout`
 */
export async function restartSession(options: WaitOptions & { launch: LaunchOptions }): Promise<number> {
  const { dispatcher, key, launch } = options;
  // Before the end: a message that waits starts Claude Code again by itself.
  dispatcher.dispatch(key, { type: 'session.configure', launch, take: 'all' });
  dispatcher.dispatch(key, { type: 'session.stop', reason: 'restarted by the operator' });
  const ended = await untilSession({ ...options, ms: endMs }, ({ agent }) => agent.name !== 'stopping');
  if (!ended) throw late(key, 'end');
  const wanted = dispatcher.dispatch(key, { type: 'session.start', by: 'the operator' });
  if (!wanted.ok && wanted.rejection.code === 'not_stored') throw notStored(dispatcher);
  const started = await untilSession(options, ({ agent }) => agent.name !== 'starting');
  if (!started) throw late(key, 'start');
  const { agent } = started;
  if (agent.name === 'ready') return agent.pid;
  const failure = failureOf(started);
  const said = failure?.words?.split('\n', 1)[0]?.replace(/\.$/, '');
  const question = agent.name === 'dialog' ? `it shows a question (${agent.dialog})` : undefined;
  const why = [failure?.code, question ?? said].filter(Boolean).join(': ') || 'it ended';
  throw new OperatorError(
    'start_failed',
    `Claude Code of "${key}" did not start: ${why}.`,
    failure?.remedy ?? `\`synthesis inspect ${commandRef(key)}\` shows how it stands.`,
  );
}

const late = (key: string, what: string) =>
  new OperatorError(
    'timeout',
    `Claude Code of "${key}" did not ${what} in time.`,
    "Look into the bridge's log, or try again.",
  );
