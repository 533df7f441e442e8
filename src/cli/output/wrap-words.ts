/** Breaks a line at blanks; a word that is longer than a line stays whole, so that a path can be copied. */
export function wrapWords(line: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
