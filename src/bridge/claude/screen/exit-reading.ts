import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { TerminalExit } from '../terminal-port.ts';
import { screenTail } from './screen-reader.ts';

/** What an exit before readiness means. `restart` = start again the other way, once. */
export type StartExit =
  | { kind: 'restart'; start: 'new' | 'resume' }
  | { kind: 'failed'; failure: FailureCode; detail: string };

const readings: readonly { mark: RegExp; failure: FailureCode; words: string }[] = [
  {
    mark: /cannot be used with root\/sudo privileges/,
    failure: 'start_exited',
    words: 'Claude Code refuses to bypass permissions as root. Choose another permission mode.',
  },
  {
    mark: /Unable to connect to Anthropic services/,
    failure: 'claude_signed_out',
    words: 'Claude Code was never set up and could not reach Anthropic. Run "claude" once and sign in.',
  },
  {
    mark: /sandbox required but unavailable/i,
    failure: 'sandbox_unavailable',
    words: 'Claude Code refuses to start without its sandbox.',
  },
  {
    mark: /^bwrap: /m,
    failure: 'contain_unavailable',
    words: 'bubblewrap could not start Claude Code in its room.',
  },
  {
    mark: /unknown option '[^']*'/,
    failure: 'claude_too_old',
    words: 'This Claude Code does not know a flag that is needed. Update it.',
  },
  {
    mark: /execvp\(3\) failed|No such file or directory$/m,
    failure: 'claude_not_found',
    words: 'Claude Code could not be executed.',
  },
];

/** Texts and exit codes of Claude Code 2.1.329. */
export function readStartExit(rows: readonly string[], exit: TerminalExit): StartExit {
  const text = rows.join('\n');
  if (/No conversation found with session ID/.test(text)) return { kind: 'restart', start: 'new' };
  if (/Session ID \S+ is already in use/.test(text)) return { kind: 'restart', start: 'resume' };
  const tail = screenTail(rows, 6);
  const known = readings.find(({ mark }) => mark.test(text));
  if (known)
    return { kind: 'failed', failure: known.failure, detail: [known.words, tail].filter(Boolean).join('\n') };
  return {
    kind: 'failed',
    failure: 'start_exited',
    detail: `Claude Code ended at once (${exitWords(exit)}).\n${tail}`.trim(),
  };
}

export function exitWords({ code, signal, lost }: TerminalExit): string {
  if (lost) return 'the process that holds its terminal, its host, was ended';
  return signal === undefined ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

/** Processes that are named; a script may leave hundreds. */
const maxNamed = 5;

/** Returns what was ended along with Claude Code, in words; '' for nothing. */
export function leftWords(left: readonly string[] = []): string {
  if (left.length === 0) return '';
  const more = left.length > maxNamed ? `, and ${left.length - maxNamed} more` : '';
  return `What it left running was ended, too: ${left.slice(0, maxNamed).join(', ')}${more}.`;
}
