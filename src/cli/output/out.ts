// The only way out of a command: whatever is written here has passed the gate, so no command can forget it.

import { wrapWords } from '../text/wrap-words.ts';
import { safe, safeJson, safeProse, safeRow } from './safe.ts';
import { columnsOf, write } from './standard-streams.ts';

/** Data for programs and pipes. */
export const print = (text: string): void => write('stdout', `${safe(text)}\n`);

/** A piece of running text, without a line end of its own. */
export const printPart = (text: string): void => write('stdout', safeProse(text));

/** Text that ends its own lines: that of the command line's parser, whose complaints repeat what was typed. */
export const printText = (text: string): void => write('stdout', safe(text));
export const sayText = (text: string): void => write('stderr', safe(text));

/** Words for people; on a terminal, wrapped to its width. */
export function say(text: string): void {
  // A terminal may not know how wide it is, and says 0.
  const columns = columnsOf('stderr') || Number.POSITIVE_INFINITY;
  const lines = safe(text)
    .split('\n')
    .flatMap((line) => wrapWords(line, columns));
  write('stderr', `${lines.join('\n')}\n`);
}

/** Rows that are as wide as they have to be. */
export const sayLines = (lines: readonly string[]): void => write('stderr', `${safe(lines.join('\n'))}\n`);

/** A row in the place of the one that was drawn there before, and of whatever it held; none when it is empty. */
export const redraw = (row: string): void => write('stderr', `\r\u001b[K${safeRow(row)}`);

export const printJson = (value: unknown): void => write('stdout', `${safeJson(value)}\n`);
