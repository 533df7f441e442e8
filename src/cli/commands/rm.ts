// Removes a session, and says what became of its text.
import type { RemoveResult } from '../../domain/views/control.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';

export interface RmOptions {
  state: string;
  session: string;
  keep: boolean;
  json: boolean;
}

/** Milliseconds. Claude Code may take its time to end; the bridge has a deadline of its own. */
const patienceMs = 15_000;

export async function rm({ state, session, keep, json }: RmOptions): Promise<number> {
  const result = await callBridge(state, 'session.remove', { session, keep }, { timeoutMs: patienceMs });
  if (json) printJson(result);
  else say(`Removed ${safeLine(session)}. ${textWords(result)}`);
  return exitCodes.ok;
}

function textWords({ text, archive }: RemoveResult): string {
  switch (text) {
    case 'kept':
      return 'Its text is kept in the journal and the archive, its files until `synthesis prune`.';
    case 'soon':
      return 'Its text will be deleted as soon as its Claude Code has ended and nobody reads it any more, at the next start of the bridge at the latest.';
    case 'deleted': {
      const files = archive === 1 ? 'One file of the archive is' : `${archive} files of the archive are`;
      const cleaned = archive === 0 ? '' : ` ${files} being cleaned of it in the background.`;
      return `Its text is deleted.${cleaned} Claude Code's own transcript is not the bridge's, and stays.`;
    }
  }
}
