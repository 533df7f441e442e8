// Every row that is kept, the archived ones too: with the bridge or without.
import { once } from 'node:events';
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { untilStopped } from '../../output/live/stream-out.ts';
import { say } from '../../output/out.ts';
import { afterBridge, bridgeOr, inWords } from './audit-source.ts';

export interface Wanted {
  /** Id, key, or a unique prefix of either. */
  session?: string;
  types?: readonly SessionEvent['type'][];
  /** Of rows that are left out nothing is said: the exit code tells. */
  quiet?: boolean;
}

/**
 * Gives out rows, oldest first, until there are no more or Ctrl-C is pressed.
 * @returns the exit code
 */
export async function everyRow(
  state: string,
  wanted: Wanted,
  take: (row: JournalRow) => void,
): Promise<number> {
  const stopped = untilStopped();
  const reading = bridgeOr(
    state,
    () => fromBridge(state, wanted, take),
    async (journal) => {
      for await (const row of journal.events(wanted.session)) await paced(() => take(row));
      return exitCodes.ok;
    },
  );
  return Promise.race([reading, stopped]);
}

/**
 * Gives out what the journal holds of rows, as a bridge would.
 * @param notRunning what asking for one ended with
 * @param since epoch ms
 * @returns the exit code
 */
export function keptRows(
  state: string,
  notRunning: unknown,
  { session, since }: { session: string | undefined; since: number },
  to: { begin(): void; gap(upTo: number): void; take(row: JournalRow): void },
): Promise<number> {
  return afterBridge(state, notRunning, async (journal) => {
    const { key, origin, rows } = journal.kept(session);
    to.begin();
    for (const row of rows) {
      if (row.at < since) continue;
      if (row.seq === origin + 1 && origin > 0) to.gap(origin);
      if (key === undefined || row.session === key) await paced(() => to.take(row));
    }
    return exitCodes.ok;
  });
}

/** The bridge has what a start reads; the archive lies beside it. */
async function fromBridge(state: string, wanted: Wanted, take: (row: JournalRow) => void): Promise<number> {
  const { archivedRows, JournalError } = await import('../../../bridge/audit.ts');
  const { session, types } = wanted;
  // It answers before anything is given out: without a bridge all is read in another way.
  const key = session && (await callBridge(state, 'session.inspect', { session })).key;
  const origin = (await callBridge(state, 'journal.stats', {})).first - 1;
  try {
    for await (const row of archivedRows(state, origin)) {
      if ((key && row.session !== key) || (types && !types.includes(row.event.type))) continue;
      await paced(() => take(row));
    }
  } catch (error) {
    throw error instanceof JournalError ? inWords(error) : error;
  }
  let code: number = exitCodes.ok;
  await callBridge(
    state,
    'events.subscribe',
    { from: origin, follow: false, ...(session && { session }), ...(types && { types: [...types] }) },
    {
      onNotification: (method, given) => {
        if (method === 'event') take(given.row as JournalRow);
        if (method !== 'gap') return;
        code = exitCodes.degraded;
        if (wanted.quiet) return;
        say(
          `Rows ${given.from} to ${given.to} are left out: they went into the archive while it was read (then run this again), or its file is gone.`,
        );
      },
    },
  );
  return code;
}

/** Whoever reads slowly keeps no rows in memory. */
async function paced(work: () => void): Promise<void> {
  work();
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}
