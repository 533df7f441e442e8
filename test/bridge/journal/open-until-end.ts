import { onTestFinished } from 'vitest';
import { type OpenedJournal, openJournal } from '../../../src/bridge/journal/start/open-journal.ts';

/** A journal that is closed when the test has ended, if it was not before. */
export function openUntilEnd(dir: string): OpenedJournal {
  const opened = openJournal({ dir });
  onTestFinished(() => opened.journal.close());
  return opened;
}
