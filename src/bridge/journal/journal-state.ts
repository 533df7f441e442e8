import type { Cancel } from '../../base/time/clock.ts';
import type { JournalWriteError } from './journal-error.ts';

/** `full` mends itself when there is room again; `failed` is final: what a disk did after a failed sync is unknown. */
export type JournalHealth =
  | { state: 'ok' }
  | { state: 'full'; error: JournalWriteError }
  | { state: 'failed'; error: JournalWriteError };

/** `health`, with what belongs to it. */
export type JournalState =
  | { kind: 'ok' }
  | { kind: 'full'; error: JournalWriteError; cancelRetry: Cancel }
  | { kind: 'failed'; error: JournalWriteError }
  | { kind: 'closed' };
