// How much there is of the journal, and all of it, the archived part included, as lines to keep elsewhere.
import type { JournalStats } from '../../../domain/views/journal.ts';
import { callBridge } from '../../client/control-client.ts';
import { pointInTime } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson } from '../../output/out.ts';
import { eventFields } from '../../output/row-printer.ts';
import { sizeText } from '../../output/words/size-text.ts';
import { bridgeOr } from './audit-source.ts';
import { everyRow } from './journal-rows.ts';

interface StatsOptions {
  state: string;
  json: boolean;
}

export async function journalStats({ state, json }: StatsOptions): Promise<number> {
  const stats = await bridgeOr(
    state,
    () => callBridge(state, 'journal.stats', {}),
    async (journal) => journal.stats(),
  );
  if (json) printJson(stats);
  else for (const line of statsLines(stats)) print(line);
  return exitCodes.ok;
}

const counted = (rows: number) => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;

function statsLines({ rows, first, last, bytes, archive }: JournalStats): string[] {
  const live = `Journal   ${counted(rows)} (${first} to ${last}), ${sizeText(bytes)}`;
  if (archive.segments === 0) return [live, 'Archive   empty'];
  const files = `${archive.segments} ${archive.segments === 1 ? 'file' : 'files'}`;
  return [
    live,
    `Archive   ${counted(archive.rows)} from row ${archive.first} on, ${sizeText(archive.bytes)} in ${files}`,
  ];
}

interface ExportOptions {
  state: string;
  since?: string;
}

/** One JSON object a line, as `logs --json` prints them, oldest first. */
export async function journalExport({ state, since }: ExportOptions): Promise<number> {
  const from = since === undefined ? 0 : pointInTime(since, Date.now());
  return everyRow(state, {}, (row) => {
    if (row.at >= from) printJson(eventFields(row));
  });
}
