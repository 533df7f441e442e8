import { inYoungSpaceAsItIs } from '../../../base/process/young-space.ts';
import { guarded, refused } from '../../bridge-refusal.ts';
import { commandKey } from '../../journal/chain/key-source.ts';
import {
  type OpenedJournal,
  type OpenJournalOptions,
  openJournal,
} from '../../journal/start/open-journal.ts';

/**
 * Opens the journal, with the key that the operator's command prints where one is configured.
 *
 * @throws BridgeStartError in words
 */
export async function keyedJournal(
  about: Omit<OpenJournalOptions, 'key'>,
  keyCommand: readonly string[] | undefined,
): Promise<OpenedJournal> {
  const key = keyCommand && (await commandKey(keyCommand).catch(refused));
  return guarded(() => inYoungSpaceAsItIs(() => openJournal({ ...about, ...(key && { key }) })));
}
