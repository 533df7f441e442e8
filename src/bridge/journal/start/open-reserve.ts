import type { Log } from '../../../base/log.ts';
import type { ChainKey } from '../chain/chain-key.ts';
import type { UnlinkedRow } from '../chain/hash-chain.ts';
import type { JournalFiles } from '../store/journal-files.ts';
import { Reserve } from '../store/reserve.ts';
import type { ChainEnd } from '../store/sqlite-store.ts';

/**
 * @returns the rows in it that the journal does not have yet; `lost` says why they cannot be used. No reserve when there
 *   is no room for one: a full disk must not keep the bridge from starting
 */
export function openReserve(
  files: JournalFiles,
  key: ChainKey,
  { last, link }: ChainEnd,
  log: Log,
): { reserve?: Reserve; rows: UnlinkedRow[]; lost?: string } {
  try {
    const { reserve, found, isWhole } = Reserve.open(files.reserve, key);
    const all = found.flatMap((spill) => spill.rows);
    const fits = all[0]?.seq === last + 1 && found[0]?.base === link;
    const rows = fits ? all : [];
    if (!fits) reserve.clear();
    // Lines behind a damaged one could not be read at the next start either.
    else if (!isWhole) reserve.replace({ base: link, rows });
    if (!isWhole) return { reserve, rows, lost: damagedWords };
    const known = fits || (all.at(-1)?.seq ?? 0) <= last;
    return { reserve, rows, ...(!known && { lost: strangeWords(all.length, last) }) };
  } catch (error) {
    log.error('there is no reserve for a full disk', { error });
    return { rows: [] };
  }
}

const damagedWords =
  'what was put aside while the disk was full is damaged, or sealed with another key: some of it is gone';

const strangeWords = (rows: number, last: number) =>
  `${rows} rows that were put aside while the disk was full do not fit the journal, which ends at row ${last}: they are gone`;
