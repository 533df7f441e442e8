import type { Log } from '../../base/log.ts';
import type { ChainKey } from './chain-key.ts';
import type { UnlinkedRow } from './hash-chain.ts';
import type { JournalFiles } from './journal-files.ts';
import { Reserve } from './reserve.ts';
import type { ChainEnd } from './sqlite-store.ts';

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
    const { reserve, found } = Reserve.open(files.reserve, key);
    const rows = found.flatMap((spill) => spill.rows);
    const first = rows[0]?.seq ?? 0;
    if (first === last + 1 && found[0]?.base === link) return { reserve, rows };
    reserve.clear();
    if ((rows.at(-1)?.seq ?? 0) <= last) return { reserve, rows: [] };
    return {
      reserve,
      rows: [],
      lost: `${rows.length} rows that were put aside while the disk was full do not fit the journal, which ends at row ${last}: they are gone`,
    };
  } catch (error) {
    log.error('there is no reserve for a full disk', { error });
    return { rows: [] };
  }
}
