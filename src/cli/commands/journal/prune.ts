// Deletes what nothing in the state folder needs, once somebody has seen what that is.
import type { Leftover } from '../../../domain/views/prune.ts';
import { CliError } from '../../cli-error.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { table } from '../../output/table.ts';
import { sizeText } from '../../output/words/size-text.ts';
import { canAsk, Questions } from '../../questions.ts';
import { ruler } from '../../text/width.ts';

export interface PruneOptions {
  state: string;
  yes: boolean;
  dryRun: boolean;
  json: boolean;
}

/** Milliseconds that a bridge may take to look through its archive. */
const lookMs = 10 * 60_000;

export async function prune({ state, yes, dryRun, json }: PruneOptions): Promise<number> {
  const items = await callBridge(state, 'prune.look', {}, { timeoutMs: lookMs });
  if (dryRun || items.length === 0) {
    if (json) printJson({ items, bytes: bytesOf(items), deleted: false });
    else list(items);
    return exitCodes.ok;
  }
  if (!yes) {
    if (json || !canAsk()) throw unasked(items);
    list(items);
    using questions = new Questions('Nothing was deleted.');
    if (!(await questions.yesNo(`Delete ${all(items)}, for good`, false))) {
      say('Nothing was deleted.');
      return exitCodes.ok;
    }
  }
  const named = items.map(({ kind, name }) => ({ kind, name }));
  const { deleted, archive } = await callBridge(
    state,
    'prune.delete',
    { items: named },
    { timeoutMs: lookMs },
  );
  if (json) printJson({ items: deleted, bytes: bytesOf(deleted), deleted: true });
  else {
    const cleaned = archive === 0 ? '' : ` The archive is being cleaned in the background.`;
    say(`Deleted ${all(deleted)}.${cleaned}`);
    if (deleted.length < items.length)
      say(`${items.length - deleted.length} could not be deleted: the log says why.`);
  }
  return deleted.length < items.length ? exitCodes.failure : exitCodes.ok;
}

const kinds: Record<Leftover['kind'], string> = {
  session: 'text and files of a session that was removed with --keep',
  segment: 'a file of the archive that joins nothing',
  damaged: 'a copy of a damaged journal',
  folder: 'files of a session that nobody knows',
};

function list(items: readonly Leftover[]): void {
  if (items.length === 0) return say('Nothing is left over.');
  const rows = items.map(({ kind, name, bytes }) => [name, sizeText(bytes), kinds[kind]]);
  print(table(['name', 'size', 'what it is'], rows, ruler));
}

const bytesOf = (items: readonly Leftover[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

const all = (items: readonly Leftover[]): string =>
  `${items.length} ${items.length === 1 ? 'thing' : 'things'}, ${sizeText(bytesOf(items))}`;

const unasked = (items: readonly Leftover[]): CliError =>
  new CliError(
    'usage',
    'not_asked',
    `${all(items)}, would be deleted for good, and nobody is there to be asked. Nothing was deleted.`,
    'Look at them with `synthesis prune --dry-run`, then add --yes.',
  );
