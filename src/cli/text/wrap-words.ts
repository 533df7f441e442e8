import { mostCells } from './sure.ts';

/**
 * Breaks a line at blanks; a word that is longer than a line stays whole, so that a path can be copied. A line with signs
 * whose width is not known at once may break earlier than it had to, never later.
 */
export function wrapWords(line: string, cells: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const word of line.split(' ')) {
    const size = mostCells(word);
    if (lines.length > 0 && used + 1 + size <= cells) {
      lines[lines.length - 1] += ` ${word}`;
      used += 1 + size;
    } else {
      lines.push(word);
      used = size;
    }
  }
  return lines;
}
