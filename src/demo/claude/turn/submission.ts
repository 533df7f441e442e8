/** What Claude Code makes of a submitted line. */
export type Submission =
  | { kind: 'prompt'; text: string }
  | { kind: 'command'; name: string; argument: string }
  | { kind: 'bash'; command: string }
  | { kind: 'quit' };

const quitWords = new Set(['exit', 'quit', ':q', ':q!', ':wq', ':wq!']);

/**
 * Decides by the first character after leading blanks: `/word` is a command, `!` at the very start is the shell,
 * a bare `exit` quits (measured on 2.1.329). A path such as `/tmp/f.txt` is text.
 */
export function classifySubmission(text: string): Submission {
  const trimmed = text.trim();
  if (quitWords.has(trimmed)) return { kind: 'quit' };
  const command = /^\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(trimmed);
  if (command?.[1]) return { kind: 'command', name: command[1], argument: command[2] ?? '' };
  if (text.startsWith('!')) return { kind: 'bash', command: text.slice(1).trim() };
  return { kind: 'prompt', text };
}
