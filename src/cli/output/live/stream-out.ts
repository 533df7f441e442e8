import { exitCodes } from '../../exit-codes.ts';
import { onReaderGone } from '../standard-streams.ts';

/**
 * For commands that write until they are stopped: Ctrl-C ends with 130, and a reader that goes away (`… | head`) ends
 * quietly.
 */
export function untilStopped(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  onReaderGone(() => resolve(exitCodes.ok));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => resolve(exitCodes.interrupted));
  }
  return promise;
}
