// Removes sessions, and says what became of their text.
import type { RemoveResult, SessionDetail } from '../../../domain/views/control.ts';
import { CliError } from '../../cli-error.ts';
import { eachSession, isWhole } from '../../client/each-session.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';

export interface RmOptions {
  state: string;
  sessions: readonly string[];
  keep: boolean;
  json: boolean;
}

/** Milliseconds. Claude Code may take its time to end; the bridge has a deadline of its own. */
const patienceMs = 15_000;

export const rm = ({ state, sessions, keep, json }: RmOptions): Promise<number> =>
  eachSession(state, sessions, {
    // One alone is judged by the bridge itself.
    ...(sessions.length > 1 && { allow: requireWhole }),
    act: async (bridge, session) => {
      const result = await bridge.call('session.remove', { session, keep }, { timeoutMs: patienceMs });
      if (json) printJson(result);
      else say(`Removed ${safeLine(session)}. ${resultWords(result)}`);
    },
  });

function requireWhole(ref: string, found: SessionDetail): void {
  if (isWhole(ref, found)) return;
  throw new CliError(
    'usage',
    'ambiguous',
    `"${ref}" is only the beginning of ${found.id} (${found.key}). Nothing was removed.`,
    'What is removed is gone: name each session whole, by its id or its key.',
  );
}

const resultWords = (result: RemoveResult): string => [textWords(result), ...serverWords(result)].join(' ');

function serverWords({ servers, servers_behind: behind = [] }: RemoveResult): string[] {
  if (servers === 'pending')
    return [
      'The nats-servers still have it: it is erased there as soon as they can be reached, also by the next bridge.',
    ];
  if (behind.length === 0) return [];
  return [
    `Its text was erased on the nats-servers that are there. ${behind.join(', ')} ${behind.length === 1 ? 'is' : 'are'} away or behind, and may keep it: \`synthesis docs many-machines\` says what to do.`,
  ];
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
