// Rows in tones on standard output: painted on a terminal, their words alone anywhere else.
import { type Line, lineText } from '../tui/text/line.ts';
import { paint, paletteOf } from '../tui/text/paint.ts';
import { print } from './out.ts';

/** Both ways pass the gate, each row by itself. */
export function printLines(lines: readonly Line[]): void {
  const isPainted = process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  const palette = paletteOf(process.env);
  for (const line of lines)
    if (isPainted) process.stdout.write(`${paint(line, palette)}\n`);
    else print(lineText(line));
}
