// What the journal refuses, as the one who starts the bridge reads it.
import { SnapshotNewerError } from '../domain/state/snapshot.ts';
import { BridgeStartError } from './bridge-start-error.ts';
import { JournalError } from './journal/journal-error.ts';

/** @throws BridgeStartError for what the journal refuses */
export function guarded<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    return refused(error);
  }
}

export function refused(error: unknown): never {
  if (error instanceof SnapshotNewerError)
    throw new BridgeStartError('journal_newer', sentence(error.message), sentence(runNewer), error);
  if (!(error instanceof JournalError)) throw error;
  throw new BridgeStartError(error.code, sentence(error.message), sentence(error.suggestion), error);
}

const runNewer = 'run the release that wrote it, or give this one its own --state-dir';

export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
