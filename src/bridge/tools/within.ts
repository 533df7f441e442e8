import type { Clock } from '../../base/time/clock.ts';

/** There was no answer in time. */
export class LateError extends Error {
  constructor(ms: number) {
    super(`it did not answer within ${ms / 1000} seconds`);
    this.name = 'LateError';
  }
}

/** What `ask` resolves to. Its signal aborts, and this rejects, after `ms` milliseconds. @throws LateError */
export async function within<T>(
  clock: Clock,
  ms: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(ms, () => late.abort(new LateError(ms)));
  try {
    return await ask(late.signal);
  } catch (error) {
    // The SDK wraps the reason in an error of its own.
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    cancel();
  }
}
